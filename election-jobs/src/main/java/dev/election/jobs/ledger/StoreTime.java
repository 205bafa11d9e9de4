package dev.election.jobs.ledger;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * Estimate of the store's clock: the time of its latest answer, continued by the monotonic clock of this node. Never ahead of the store,
 * unless that was set back since.
 */
final class StoreTime {

    private final LongSupplier nanos;
    private volatile Reading latest;

    /**
     * Creates the clock, which stands at 1970 until the first answer of the store.
     *
     * @param nanos the monotonic clock of this node
     */
    StoreTime(LongSupplier nanos) {
        this.nanos = nanos;
        this.latest = new Reading(0, nanos.getAsLong());
    }

    /** Sets the clock to the time of an answer that has just arrived. */
    void heard(Instant at) {
        latest = new Reading(at.toEpochMilli(), nanos.getAsLong());
    }

    /** The time of the store in milliseconds since 1970. */
    long now() {
        Reading reading = latest;
        return reading.at + (nanos.getAsLong() - reading.nanos) / 1_000_000;
    }

    /** The monotonic clock of this node. */
    long nanoTime() {
        return nanos.getAsLong();
    }

    /** A time from now by the monotonic clock of this node. */
    Limit in(Duration time) {
        return new Limit(nanos.getAsLong() + time.toNanos());
    }

    private record Reading(long at, long nanos) {}

    /** A moment by the monotonic clock of this node. */
    final class Limit {

        private final long end;

        private Limit(long end) {
            this.end = end;
        }

        boolean isOver() {
            return end - nanos.getAsLong() < 0;
        }

        /** Converts this moment to the clock of the store. */
        Instant at() {
            return Instant.ofEpochMilli(now() + (end - nanos.getAsLong()) / 1_000_000);
        }
    }
}
