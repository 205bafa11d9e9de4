package dev.election.store;

/** The reply of a store to a release. */
public sealed interface ReleaseReply permits ReleaseReply.Released, ReleaseReply.NotHeld, NoAnswer {

    /** The lease was held and is free now. */
    record Released() implements ReleaseReply {}

    /** The candidacy did not hold the lease; nothing changed. */
    record NotHeld() implements ReleaseReply {}
}
