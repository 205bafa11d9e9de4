package dev.election.store;

import dev.election.FencingToken;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The reply of a store to a campaign. */
public sealed interface CampaignReply permits CampaignReply.Granted, CampaignReply.Wait, Held, NoAnswer {

    /**
     * The candidacy holds the lease.
     *
     * @param token greater than every token granted before, or the same as before if an earlier reply was lost
     * @param since when it was granted, by the store's clock
     * @param expiry when it ends, by the store's clock
     * @param incarnation of the store, {@code null} if it does not tell or has no clock
     */
    record Granted(FencingToken token, Instant since, Instant expiry, @Nullable String incarnation)
            implements CampaignReply {

        /** Creates the reply of a store that does not tell its incarnation. */
        public Granted(FencingToken token, Instant since, Instant expiry) {
            this(token, since, expiry, null);
        }
    }

    /**
     * Nobody holds the lease, and nobody may have it yet.
     *
     * @param remaining how long to wait
     * @param rank how many candidates stand before this one; empty if the store keeps no order: then each candidate asks at a time of its
     *     own shortly after a lease is free
     */
    record Wait(Duration remaining, OptionalInt rank) implements CampaignReply {

        /** Creates the reply of a store that keeps an order, with the candidate's place in it. */
        public Wait(Duration remaining, int rank) {
            this(remaining, OptionalInt.of(rank));
        }
    }
}
