package dev.election.store;

/** What a store says when it is given a message to pass on. */
public sealed interface AnnounceReply permits AnnounceReply.Announced, NoAnswer {

    /** It was passed on to whoever listens right now, which may be nobody. */
    record Announced() implements AnnounceReply {}
}
