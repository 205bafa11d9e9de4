package dev.election.jobs.ledger;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Retries a task that fails, with growing pauses. */
final class Backoff {

    private static final long FIRST_MILLIS = 500;
    private static final long LONGEST_MILLIS = 10_000;

    private final long firstMillis;
    private @Nullable Runnable task;
    private int failures;
    private long planned;

    Backoff() {
        this(FIRST_MILLIS);
    }

    /**
     * @param firstMillis the first pause
     */
    Backoff(long firstMillis) {
        this.firstMillis = firstMillis;
    }

    /** Runs the task after a pause that grows with the failures in a row, in place of a task planned before. */
    synchronized void later(Runnable next) {
        task = next;
        planned++;
        long mine = planned;
        long pause = Math.min(firstMillis << Math.min(failures, 10), LONGEST_MILLIS);
        failures++;
        LedgerThreads.after(Duration.ofMillis(pause)).execute(() -> run(mine));
    }

    /** Runs the planned task at once, since it is likely to succeed now. */
    void now() {
        long latest;
        synchronized (this) {
            latest = planned;
        }
        run(latest);
    }

    synchronized void succeeded() {
        failures = 0;
    }

    /** The number of failures in a row. */
    synchronized int failures() {
        return failures;
    }

    private void run(long mine) {
        Runnable due;
        synchronized (this) {
            due = mine == planned ? task : null;
            if (due != null) {
                task = null;
            }
        }
        if (due != null) {
            due.run();
        }
    }
}
