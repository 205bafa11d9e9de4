package dev.election.store;

import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Keeps one lease an election. Each request is carried out atomically, at most once for each call, and never retried here.
 * Calls return at once and never throw: whatever goes wrong is a {@link NoAnswer}. Replies and hints may come on any
 * thread, which the receiver must not block.
 *
 * <p>Every implementation passes {@code LeaseStoreContract}.
 */
public interface LeaseStore {

    /** Grants the lease if it is free, and says who has it otherwise. */
    CompletionStage<CampaignReply> campaign(CampaignRequest request);

    /** Extends the lease for the candidacy that holds it, and for no other. */
    CompletionStage<RenewReply> renew(RenewRequest request);

    /** Ends a candidacy. */
    CompletionStage<ReleaseReply> release(ReleaseRequest request);

    /** Takes the lease away from whoever holds it under that token. */
    CompletionStage<EvictReply> evict(EvictRequest request);

    /** Says how the election stands, and who led before. Changes nothing. */
    CompletionStage<ReadReply> read(String election);

    /** Passes a message on to all who listen to hints about the election at that moment, the sender included. */
    CompletionStage<AnnounceReply> announce(String election, Hint.Message message);

    /**
     * Passes on hints about an election until the subscription is closed. Returns at once, also while the store is away: the
     * subscription comes about, and comes back, by itself.
     */
    Subscription listen(String election, Consumer<Hint> listener);

    /** A standing wish to hear hints. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
