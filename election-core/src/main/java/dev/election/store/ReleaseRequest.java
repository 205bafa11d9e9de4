package dev.election.store;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Ends a candidacy: gives the lease back if it holds it, and leaves the queue of candidates.
 *
 * @param candidate the candidate that ends
 * @param grant its grant, or {@code null} if it never led: then a lease that was granted without its knowledge is
 *     given back
 * @param lease how long the lease was
 * @param how how leadership is given up: for a store, who may be granted the lease next
 * @param reason why it ends; only remembered
 */
public record ReleaseRequest(
        Candidate candidate, @Nullable Grant grant, Duration lease, Abdication how, LossReason reason)
        implements StoreRequest.OfCandidate<ReleaseReply> {

    private static final Abdication TO_ANYONE = Abdication.toAnyone().coolingDownFor(Duration.ZERO);

    /** Creates a request that leaves the lease to any candidate. */
    public ReleaseRequest(Candidate candidate, @Nullable Grant grant, Duration lease, LossReason reason) {
        this(candidate, grant, lease, TO_ANYONE, reason);
    }

    /** The only node that may be granted the lease for a while, or {@code null} for any. */
    @Nullable
    public String successor() {
        return how.successor();
    }

    /** The time for which the lease is reserved for the successor. */
    public Duration reserve() {
        return how.reserve();
    }

    @Override
    public CompletionStage<ReleaseReply> sendTo(LeaseStore store) {
        return store.release(this);
    }

    @Override
    public Class<ReleaseReply> replyType() {
        return ReleaseReply.class;
    }

    /**
     * The grant of a candidacy.
     *
     * @param token the token of the grant
     * @param expiry when the lease ends by the store's clock, as the last good reply said
     */
    public record Grant(FencingToken token, Instant expiry) {}
}
