package dev.election.store;

import org.jspecify.annotations.Nullable;

/**
 * The time of a record in a store without a clock. Each writer stamps the record with its time; from when a node first sees these bytes it
 * counts on by its own monotonic clock. So a lease that others hold lasts here for at least as long as its holder counts it.
 *
 * <p>Every write carries an id of its own: bytes that differ are counted anew, whatever their version.
 */
final class ObservedClock {

    private @Nullable String seen;
    private long stamp;
    private long since;

    /**
     * The time of the record now.
     *
     * @param write the id of the write that made it, {@code null} if there is no record
     * @param stamped the time that it was stamped with
     * @param nanos the monotonic clock when it was seen, or later
     */
    synchronized long millis(@Nullable String write, long stamped, long nanos) {
        if (write == null || !write.equals(seen)) {
            seen = write;
            stamp = stamped;
            since = nanos;
        }
        return stamp + (nanos - since) / 1_000_000;
    }
}
