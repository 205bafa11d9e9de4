package dev.election.store;

import dev.election.store.LeaseStore.Subscription;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The capability of a {@link MemberStore} to pass texts on between members. A text reaches those who listen right now, once at most. Texts that
 * one process sends arrive in their order. The rules for calls and replies are those of the store.
 */
public interface MemberMessaging {

    /** Passes a text on to an instance. */
    CompletionStage<AnnounceReply> send(String instance, String text);

    /** Passes a text on to all who listen, the sender included. */
    CompletionStage<AnnounceReply> sendToAll(String text);

    /**
     * Hears what is sent to that instance and what is sent to all, until the subscription is closed, by the rules of {@link LeaseStore#listen}.
     * Before the first call nothing is opened for it.
     */
    Subscription listen(String instance, Consumer<MemberMessage> listener);
}
