package dev.election.internal.protocol;

import dev.election.Timing;
import dev.election.store.StoreTraits;
import java.time.Duration;

/**
 * The durations that follow from a {@link Timing} and the {@link StoreTraits}, in nanoseconds of the monotonic clock unless they go to the store.
 *
 * @param lease as in the timing
 * @param renewEvery as in the timing
 * @param drain as in the timing
 * @param driftMargin the time by which a leader ends its lease earlier than the store: covers clocks whose rates differ by up to two
 *     percent, and the store's rounding
 * @param clockResolution the unit of the store's rounding: an attempt this much later finds the lease expired
 * @param askEarly how long before the end of the lease a follower asks together with others; 0 where each request is sent by itself
 * @param patience the time after which an unanswered attempt is repeated
 * @param longestPatience the time after which an attempt is repeated that follows an unanswered one
 * @param firstRetry the pause after the first failed attempt, doubled after each further one
 * @param longestRetry the longest pause after a failed attempt
 * @param queue the times at which candidates campaign by their place in the queue
 * @param settle the lock delay of a store without a record of any grant, in which a living leader can renew; a lease at most
 */
public record ProtocolTimings(
        Duration lease,
        long renewEvery,
        long drain,
        long driftMargin,
        long clockResolution,
        long askEarly,
        long patience,
        long longestPatience,
        long firstRetry,
        long longestRetry,
        QueueTimings queue,
        Duration settle) {

    private static final long MILLI = 1_000_000;

    public static ProtocolTimings of(Timing timing, StoreTraits store) {
        return of(timing, store, false);
    }

    /**
     * Returns those over a store.
     *
     * @param sendsTogether whether it sends the requests of all elections of a process together, so that it costs nothing to ask early
     */
    public static ProtocolTimings of(Timing timing, StoreTraits store, boolean sendsTogether) {
        long lease = timing.lease().toNanos();
        long clockResolution = store.clockResolution().toNanos();
        return new ProtocolTimings(
                timing.lease(),
                timing.renewEvery().toNanos(),
                timing.drain().toNanos(),
                lease / 50 + 2 * clockResolution,
                clockResolution,
                sendsTogether ? timing.renewEvery().toNanos() : 0,
                Math.max(lease / 6, store.patience().toNanos()),
                lease / 3,
                20 * MILLI,
                Math.min(1000 * MILLI, lease / 10),
                new QueueTimings(lease),
                store.settle().compareTo(timing.lease()) < 0 ? store.settle() : timing.lease());
    }

    /** Returns when leadership by an attempt that was sent at that time ends, whenever its reply arrives. */
    public long deadline(long sentAt) {
        return sentAt + lease.toNanos() - driftMargin;
    }

    /** Returns when a lease with that deadline is at risk: half of it has passed, and a renewal should have been answered. */
    public long riskAt(long deadline) {
        return deadline + driftMargin - lease.toNanos() + Math.max(lease.toNanos() / 2, renewEvery + patience);
    }

    /**
     * Returns when the known leader is stale: its lease ended so long ago that an event or the reply to this node's own campaign would have confirmed
     * the leader.
     */
    public long staleAt(Knowledge knowledge) {
        long asked = queue.longestDelay(knowledge.turn(), knowledge.latency()) + patience;
        return knowledge.leaderExpiry() + Math.max(renewEvery, asked);
    }

    /**
     * Returns the time after which an unanswered attempt is repeated, after that many failures in a row and with that time of the latest
     * answer. A late reply still counts, so another attempt helps only if a message was lost. Without any answer there are four attempts in the
     * first lease, and three in each further one.
     */
    public long patienceAfter(int failures, long latency) {
        return failures > 0 ? longestPatience : Math.min(longestPatience, Math.max(patience, 2 * latency));
    }

    /** Returns the pause after that many failures in a row, spread by a quarter either way so that nodes do not retry at the same time. */
    public long retryAfter(int failures, int spread) {
        long pause = Math.min(longestRetry, firstRetry << Math.min(failures - 1, 20));
        return pause * 3 / 4 + Math.floorMod(spread, 1024) * (pause / 2) / 1024;
    }

    /** Returns a delay that differs between nodes and lets a store which is back answer the campaigns first. */
    public long callAfter(int spread) {
        return patience + Math.floorMod(spread, 1024) * (patience / 1024);
    }
}
