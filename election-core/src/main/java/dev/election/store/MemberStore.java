package dev.election.store;

import dev.election.store.LeaseStore.Subscription;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The capability of a {@link LeaseStore} to keep the members, the processes that are there. A process registers itself with its first beat,
 * under an instance id that no other start of a process has, and expires when it has not beaten for as long as it said. The rules for calls
 * and replies are those of the store.
 */
public interface MemberStore {

    /**
     * The prefix of the instance of an order to drain a node. Such an entry lasts for a month, and nobody reads the reply to the request that
     * writes it.
     */
    String ORDER = "drain:";

    /** Registers an instance or keeps it registered, and returns what has changed since the version that the reader has. */
    CompletionStage<BeatReply> beat(BeatRequest request);

    /** Removes an instance at once. Whether it was there makes no difference. */
    CompletionStage<LeaveReply> leave(String instance);

    /**
     * Passes on news of single changes until the subscription is closed, by the rules of {@link LeaseStore#listen}. News may be lost, late,
     * repeated or forged: replies to beats decide. A store without news never calls the listener.
     */
    Subscription listen(Consumer<MemberNews> listener);

    /** The highest number of members for which the store is meant. */
    int mostMembers();

    /** The capability to pass messages on between members. Without it no application can send or handle them. */
    default Optional<MemberMessaging> messaging() {
        return Optional.empty();
    }
}
