package dev.election.support;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Decides whether a line is logged: the first one about a subject, and the next one when the state of that subject has ended or a period is over.
 * Thread-safe.
 */
public final class LogLimit {

    private final int most;
    private final long period;

    /** When a line was logged last, by subject. Guarded by this. */
    private final Map<Object, Long> logged = new HashMap<>();

    private LogLimit(int most, long period) {
        this.most = most;
        this.period = period;
    }

    /** Returns a limit of one line a subject until its state ends. */
    public static LogLimit once() {
        return once(Integer.MAX_VALUE);
    }

    /** Returns a limit of one line a subject, for so many subjects: whoever may write to the store can invent any number of them. */
    public static LogLimit once(int subjects) {
        return new LogLimit(subjects, Long.MAX_VALUE);
    }

    /** Returns a limit of one line a subject and period. */
    public static LogLimit every(Duration period) {
        return new LogLimit(Integer.MAX_VALUE, period.toNanos());
    }

    /** Whether a line about that subject is due. It counts as logged. */
    public boolean begins(Object subject) {
        return begins(subject, System.nanoTime());
    }

    /** Whether a line about that subject is due at that time, on the monotonic clock. It counts as logged. */
    public synchronized boolean begins(Object subject, long now) {
        Long before = logged.get(subject);
        boolean isDue = before == null ? logged.size() < most : now - before >= period;
        if (isDue) {
            logged.put(subject, now);
        }
        return isDue;
    }

    /** Ends the state of a subject. Returns whether a line about it was logged, so that its end is worth one. */
    public synchronized boolean ends(Object subject) {
        return logged.remove(subject) != null;
    }
}
