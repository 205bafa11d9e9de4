package dev.election.store;

/** The reply of a store to a message for other nodes. */
public sealed interface AnnounceReply permits AnnounceReply.Announced, NoAnswer {

    /** It was passed on to whoever listens right now, which may be nobody. */
    record Announced() implements AnnounceReply {}
}
