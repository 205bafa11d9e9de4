package dev.election.jobs.engine;

import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that can't start since the store does not confirm it. All jobs of the process are concerned at a time and try again and again: the
 * first of them is worth a warning, and the next one after two minutes without any. The first that starts after that ends the incident.
 */
public final class UnconfirmedClaims {

    private static final Logger log = LoggerFactory.getLogger(UnconfirmedClaims.class);

    private static final Duration OVER_AFTER = Duration.ofMinutes(2);

    private final LongSupplier nanos;

    /** When a job was concerned last. Guarded by this, as is what follows. */
    private long last;

    private boolean known;

    UnconfirmedClaims(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Logs that a job could not start: a warning for the first one, if the caller has not warned before. */
    public void warn(boolean isTold, String text, Object... values) {
        if (begins() && !isTold) {
            log.warn(text + ". While such attempts go on, further ones of any job are logged at DEBUG", values);
        } else {
            log.debug(text, values);
        }
    }

    private synchronized boolean begins() {
        long now = nanos.getAsLong();
        boolean isFirst = !known || isOver(now);
        known = true;
        last = now;
        return isFirst;
    }

    /** Notes that a job starts. */
    public synchronized void confirmed() {
        if (known && isOver(nanos.getAsLong())) {
            known = false;
            log.info(
                    "The store confirms claims of slots and starts of jobs again: none has failed for {}",
                    ReadableDuration.of(OVER_AFTER));
        }
    }

    private boolean isOver(long now) {
        return now - last > OVER_AFTER.toNanos();
    }
}
