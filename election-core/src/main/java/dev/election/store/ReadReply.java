package dev.election.store;

import dev.election.StoreView;

/** What a store says when it is asked how an election stands. */
public sealed interface ReadReply permits ReadReply.Read, NoAnswer {

    /**
     * It was read.
     *
     * @param view what it says
     */
    record Read(StoreView view) implements ReadReply {}
}
