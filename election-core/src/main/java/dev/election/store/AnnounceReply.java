package dev.election.store;

/** The reply of a store to a message for other nodes. */
public sealed interface AnnounceReply permits AnnounceReply.Announced, NoAnswer {

    /** The store has passed the message on to all who listen right now, which may be nobody. */
    record Announced() implements AnnounceReply {}
}
