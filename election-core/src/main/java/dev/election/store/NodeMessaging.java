package dev.election.store;

import java.util.concurrent.CompletionStage;

/**
 * The capability of a {@link LeaseStore} to pass messages on between nodes. The rules for its calls and replies are those of the
 * store.
 */
@FunctionalInterface
public interface NodeMessaging {

    /** Passes a message on to all who listen to hints about the election at that moment, the sender included. */
    CompletionStage<AnnounceReply> announce(String election, Hint.Message message);
}
