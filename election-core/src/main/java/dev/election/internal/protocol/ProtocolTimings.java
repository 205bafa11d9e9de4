package dev.election.internal.protocol;

import dev.election.Timing;
import dev.election.store.StoreTraits;
import java.time.Duration;

/**
 * What follows from a {@link Timing} and the {@link StoreTraits}, in nanoseconds of the monotonic clock unless it goes to the store.
 *
 * @param lease as in the timing
 * @param renewEvery as in the timing
 * @param drain as in the timing
 * @param driftMargin how much earlier than the store a leader ends its own lease: covers clocks that run at rates up to two
 *     percent apart, and the store's rounding
 * @param clockResolution the unit of the store's rounding: an attempt this much later finds the lease expired
 * @param patience how long an attempt may go unanswered before another is made
 * @param longestPatience the same after an attempt that went unanswered
 * @param firstRetry the pause after the first failed attempt; each further one doubles it
 * @param longestRetry where the doubling ends
 * @param queue when a candidate tries by its place in the queue
 * @param settle how long a store without a record of any grant waits before its first one, so that a living leader can renew; a lease at most
 */
public record ProtocolTimings(
        Duration lease,
        long renewEvery,
        long drain,
        long driftMargin,
        long clockResolution,
        long patience,
        long longestPatience,
        long firstRetry,
        long longestRetry,
        QueueTimings queue,
        Duration settle) {

    private static final long MILLI = 1_000_000;

    public static ProtocolTimings of(Timing timing, StoreTraits store) {
        long lease = timing.lease().toNanos();
        long clockResolution = store.clockResolution().toNanos();
        return new ProtocolTimings(
                timing.lease(),
                timing.renewEvery().toNanos(),
                timing.drain().toNanos(),
                lease / 50 + 2 * clockResolution,
                clockResolution,
                Math.max(lease / 6, store.patience().toNanos()),
                lease / 3,
                20 * MILLI,
                Math.min(1000 * MILLI, lease / 10),
                new QueueTimings(lease),
                store.settle().compareTo(timing.lease()) < 0 ? store.settle() : timing.lease());
    }

    /** When leadership by an attempt sent at that time ends, whenever its reply arrives. */
    public long deadline(long sentAt) {
        return sentAt + lease.toNanos() - driftMargin;
    }

    /** When a lease that lasts until that deadline is at risk: half of it has gone, and a renewal should have been answered. */
    public long riskAt(long deadline) {
        return deadline + driftMargin - lease.toNanos() + Math.max(lease.toNanos() / 2, renewEvery + patience);
    }

    /**
     * When the lease of the known leader is so long over that it would have been heard of again, by an event or by the reply to this
     * node's own question.
     */
    public long staleAt(Knowledge knowledge) {
        long asked = queue.longestDelay(knowledge.turn(), knowledge.latency()) + patience;
        return knowledge.leaderExpiry() + Math.max(renewEvery, asked);
    }

    /**
     * How long an attempt may go unanswered before another is made beside it, after so many failures in a row and where answers took
     * that long lately. A reply still counts after that, so what is sent anew helps only if one was lost. While nothing
     * is answered that makes four attempts in the first lease, and three in each further one.
     */
    public long patienceAfter(int failures, long latency) {
        return failures > 0 ? longestPatience : Math.min(longestPatience, Math.max(patience, 2 * latency));
    }

    /** The pause after so many failures in a row, spread by a quarter either way so that nodes don't march in step. */
    public long retryAfter(int failures, int spread) {
        long pause = Math.min(longestRetry, firstRetry << Math.min(failures - 1, 20));
        return pause * 3 / 4 + Math.floorMod(spread, 1024) * (pause / 2) / 1024;
    }

    /** After the campaigns that a store which is back has to answer first, and not all nodes at a time. */
    public long callAfter(int spread) {
        return patience + Math.floorMod(spread, 1024) * (patience / 1024);
    }
}
