package dev.election.store;

import java.util.concurrent.CompletionStage;

/**
 * The capability of a {@link LeaseStore} to pass messages on between nodes. The rules for its calls and replies are those of the
 * store.
 */
public interface NodeMessaging {

    /**
     * Passes a message on to all who listen to the election at that moment, the sender included, as {@link StoreEvent.Received}. Whether any of
     * them receives it is unknown.
     */
    CompletionStage<AnnounceReply> announce(String election, NodeMessage message);
}
