package dev.election.store;

/** The reply of a store to an eviction. */
public sealed interface EvictReply permits EvictReply.Evicted, EvictReply.NotHeld, NoAnswer {

    /** The lease is free now, and no renewal brings it back. */
    record Evicted() implements EvictReply {}

    /** Nobody holds the lease under that token; nothing changed. */
    record NotHeld() implements EvictReply {}
}
