package dev.election.jobs.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * The clock of the store, as its latest answer told it. It goes on with the monotonic clock of this node, and is never ahead of the store,
 * unless that was set back since.
 */
final class StoreTime {

    private final LongSupplier nanos;
    private volatile Reading latest;

    /**
     * Nothing is heard of the store yet.
     *
     * @param nanos the monotonic clock of this node
     */
    StoreTime(LongSupplier nanos) {
        this.nanos = nanos;
        this.latest = new Reading(0, nanos.getAsLong());
    }

    /** The store has just said that this is the time. */
    void heard(Instant at) {
        latest = new Reading(at.toEpochMilli(), nanos.getAsLong());
    }

    /** In milliseconds since 1970. */
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

        /** When that is by the clock of the store. */
        Instant at() {
            return Instant.ofEpochMilli(now() + (end - nanos.getAsLong()) / 1_000_000);
        }
    }
}
