package dev.election.store;

import dev.election.store.LeaseStore.Subscription;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The capability of a {@link MemberStore} to pass texts on between members. A text reaches those who listen right now, once at most. Texts that
 * one process sends arrive in their order. The rules for calls and replies are those of the store.
 */
public interface MemberMessaging {

    /** Passes a text on to an instance. It is lost if the instance does not listen. */
    CompletionStage<AnnounceReply> send(String instance, String text);

    /** Passes a text on to all who listen, the sender included. */
    CompletionStage<AnnounceReply> sendToAll(String text);

    /**
     * Passes the texts to that instance and the texts to all on to the listener, until the subscription is closed, by the rules of
     * {@link LeaseStore#listen}. The store opens nothing for it before the first call.
     */
    Subscription listen(String instance, Consumer<MemberMessage> listener);
}
