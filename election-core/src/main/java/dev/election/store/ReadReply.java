package dev.election.store;

import dev.election.StoreView;

/** The reply of a store to a request for the state of an election. */
public sealed interface ReadReply permits ReadReply.Read, NoAnswer {

    /**
     * The state was read.
     *
     * @param view the state
     */
    record Read(StoreView view) implements ReadReply {}
}
