package dev.election.store;

import dev.election.support.ReadableDuration;
import java.time.Duration;

/**
 * The properties of a store that elections depend on.
 *
 * @param name the name of the store in messages, such as {@code Redis}
 * @param separatedBy the property or setting that separates the elections of applications that share the store
 * @param clockResolution the unit to which the store rounds times: an attempt that much after the end of a lease finds it ended, and a
 *     leader ends its own lease two units earlier; at most a tenth of the shortest lease
 * @param shortestLease the shortest lease that an ordinary pause does not end; at most a day
 * @param patience how long an answer may take that is not lost; at most a third of the shortest lease. An attempt is sent again after a
 *     sixth of a lease, but not before that
 * @param settle how long the store grants nothing where it has no record of an election, so that a leader that still runs can connect again and
 *     renew first; never longer than a lease; at most a day
 * @param messageDelay the longest time that a message from one node to another takes; at most a day. A request to abdicate waits for two of
 *     them: for the request and for the answer
 */
public record StoreTraits(
        String name,
        String separatedBy,
        Duration clockResolution,
        Duration shortestLease,
        Duration patience,
        Duration settle,
        Duration messageDelay) {

    private static final Duration LONGEST = Duration.ofDays(1);

    /** Throws an {@link IllegalArgumentException} for a blank name, or a time out of its bounds. */
    public StoreTraits {
        if (name.isBlank()) {
            throw new IllegalArgumentException("A store must have a name");
        }
        requirePositive("shortest lease", shortestLease);
        requireAtMost("shortest lease", shortestLease, LONGEST);
        requirePositive("clock resolution", clockResolution);
        requireAtMost("clock resolution", clockResolution, shortestLease.dividedBy(10));
        requirePositive("patience", patience);
        requireAtMost("patience", patience, shortestLease.dividedBy(3));
        requireNotNegative("settle time", settle);
        requireAtMost("settle time", settle, LONGEST);
        requireNotNegative("message delay", messageDelay);
        requireAtMost("message delay", messageDelay, LONGEST);
    }

    /**
     * A server that answers within milliseconds, rounds to milliseconds and delivers messages at once: leases of a second or more, a
     * patience of 100 ms and a settle time of a second.
     */
    public static StoreTraits ofServer(String name, String separatedBy) {
        return new StoreTraits(
                name,
                separatedBy,
                Duration.ofMillis(1),
                Duration.ofSeconds(1),
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                Duration.ZERO);
    }

    /** Returns these traits with another settle time. */
    public StoreTraits settlingFor(Duration time) {
        return new StoreTraits(name, separatedBy, clockResolution, shortestLease, patience, time, messageDelay);
    }

    /** Returns these traits with another delay of messages, such as that of a store which is polled. */
    public StoreTraits deliveringWithin(Duration time) {
        return new StoreTraits(name, separatedBy, clockResolution, shortestLease, patience, settle, time);
    }

    /**
     * Refuses a lease that is too short for this store.
     *
     * @param lease the lease of an election
     * @param property the property that sets it
     * @throws IllegalArgumentException if the lease is shorter than the shortest lease; names the store and the property
     */
    public void requireLongEnough(Duration lease, String property) {
        if (lease.compareTo(shortestLease) < 0) {
            throw new IllegalArgumentException(
                    property + " must be at least " + ReadableDuration.of(shortestLease) + " with "
                            + name + ", but is " + ReadableDuration.of(lease)
                            + ": a shorter lease would be lost to an ordinary pause of the process, the network or the"
                            + " store");
        }
    }

    private static void requirePositive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(
                    "The " + what + " of a store must be longer than zero, but is " + ReadableDuration.of(time));
        }
    }

    private static void requireNotNegative(String what, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(
                    "The " + what + " of a store can't be negative: " + ReadableDuration.of(time));
        }
    }

    private static void requireAtMost(String what, Duration time, Duration longest) {
        if (time.compareTo(longest) > 0) {
            throw new IllegalArgumentException("The " + what + " of a store must be at most "
                    + ReadableDuration.of(longest) + ", but is " + ReadableDuration.of(time));
        }
    }
}
