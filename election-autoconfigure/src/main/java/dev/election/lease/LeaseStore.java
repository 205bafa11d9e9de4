package dev.election.lease;

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
