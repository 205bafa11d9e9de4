package dev.election;

import dev.election.support.ReadableDuration;
import java.time.Duration;

/**
 * The durations of an election. All nodes of one election must use the same lease.
 *
 * @param lease how long a silent leader stays leader: the longest time without one after a crash; at least the shortest lease of the
 *     store, as {@link dev.election.store.StoreTraits} says
 * @param renewEvery how often the leader renews; the rest of the lease is the time for which it survives a store that is away
 * @param drain how long a stop or an abdication waits for running leader work; no longer than {@link Election#LONGEST_WAIT}
 */
public record Timing(Duration lease, Duration renewEvery, Duration drain) {

    private static final Duration SHORTEST_RENEW_INTERVAL = Duration.ofMillis(100);

    /** Two thirds of this are the shortest renew interval. Sensible leases are longer and depend on the store. */
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(150);

    private static final Duration LONGEST_LEASE = Duration.ofDays(1);

    /** Throws an {@link IllegalArgumentException} for a lease out of bounds, a renew interval of more than two thirds of it, or a negative time. */
    public Timing {
        if (lease.compareTo(SHORTEST_LEASE) < 0) {
            throw new IllegalArgumentException("The lease must be at least " + ReadableDuration.of(SHORTEST_LEASE)
                    + " with any store, and longer with most, but is " + ReadableDuration.of(lease)
                    + ": it could not be renewed in time");
        }
        if (lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "The lease must be at most one day, but is " + ReadableDuration.of(lease));
        }
        if (renewEvery.compareTo(SHORTEST_RENEW_INTERVAL) < 0) {
            throw new IllegalArgumentException("The renew interval must be at least "
                    + ReadableDuration.of(SHORTEST_RENEW_INTERVAL) + ", but is " + ReadableDuration.of(renewEvery));
        }
        if (renewEvery.compareTo(lease) > 0 || renewEvery.multipliedBy(3).compareTo(lease.multipliedBy(2)) > 0) {
            throw new IllegalArgumentException("The renew interval must be at most two thirds of the lease, but is "
                    + ReadableDuration.of(renewEvery) + " with a lease of " + ReadableDuration.of(lease)
                    + ": no time would be left to try again");
        }
        if (drain.isNegative()) {
            throw new IllegalArgumentException("The drain time can't be negative: " + ReadableDuration.of(drain));
        }
        drain = Election.bounded(drain);
    }

    /** The longest time that a stop takes, whatever the work, the store and the listeners do. */
    public Duration longestStop() {
        return drain.plus(lease).plusSeconds(3);
    }

    /** Returns a lease of 15 seconds, renewed every five, and 30 seconds to drain. */
    public static Timing defaults() {
        return ofLease(Duration.ofSeconds(15));
    }

    /** Returns this lease, renewed every third of it, and 30 seconds to drain. */
    public static Timing ofLease(Duration lease) {
        return new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(30));
    }
}
