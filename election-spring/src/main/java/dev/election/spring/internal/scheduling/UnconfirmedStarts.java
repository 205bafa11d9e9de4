package dev.election.spring.internal.scheduling;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Jobs that can't start since the store does not confirm it. All jobs of the process are concerned at a time and try again and again: the
 * first of them is worth a warning, and the next one after two minutes without any. The end is not logged.
 */
final class UnconfirmedStarts {

    private static final long OVER_AFTER = Duration.ofMinutes(2).toNanos();

    private final LongSupplier nanos;

    /** When a job was concerned last. Guarded by this, as is what follows. */
    private long last;

    private boolean known;

    UnconfirmedStarts(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A job could not start. Returns whether it is the first one. */
    synchronized boolean begins() {
        long now = nanos.getAsLong();
        boolean isFirst = !known || now - last > OVER_AFTER;
        known = true;
        last = now;
        return isFirst;
    }
}
