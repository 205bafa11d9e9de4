package dev.election.store;

import dev.election.store.LeaseStore.Subscription;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The capability of a {@link LeaseStore} to pass messages on between nodes. The rules for its calls and replies are those of the
 * store.
 */
public interface NodeMessaging {

    /** Passes a message on to all who listen to the election at that moment, the sender included, as {@link StoreEvent.Received}. */
    CompletionStage<AnnounceReply> announce(String election, NodeMessage message);

    /** Tells all who listen as that node at that moment, the sender included, that one of them is there. Nobody else is told. */
    CompletionStage<AnnounceReply> announceAs(String node, NodeEvent.Present present);

    /** Passes on what is said with {@link #announceAs} for that node, by the rules of {@link LeaseStore#listen}. */
    Subscription listenAs(String node, Consumer<NodeEvent> listener);
}
