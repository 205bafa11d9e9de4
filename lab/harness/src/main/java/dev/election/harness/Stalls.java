package dev.election.harness;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/**
 * Records when this machine stands still: a thread sleeps for a moment again and again, and wakes late. So a bound of elapsed time can be as
 * tight as what it is about, on a machine that is busy, too.
 */
public final class Stalls implements AutoCloseable {

    private static final long SLEEP = Duration.ofMillis(10).toNanos();

    /** A sleep takes a little longer on any machine. */
    private static final long USUAL = Duration.ofMillis(20).toNanos();

    private final Intervals stalls = new Intervals();
    private final long begun = System.nanoTime();
    private final Instant begunAt = Instant.now();
    private final Thread thread = new Thread(this::watch, "stalls");
    private long watchedUntil = begun;
    private volatile boolean closed;

    /** From now on. */
    public Stalls() {
        thread.setDaemon(true);
        thread.start();
    }

    /** How much of the time since that {@link System#nanoTime()} the machine ran. */
    public Duration ranSince(long from) {
        return ranBetween(from, System.nanoTime());
    }

    /** How much of the time between two moments of the wall clock the machine ran. */
    public Duration ranBetween(Instant from, Instant until) {
        return ranBetween(nanos(from), nanos(until));
    }

    private Duration ranBetween(long from, long until) {
        return Duration.ofNanos(until - from - stalled(from, until));
    }

    /** For how long the machine stood still in that time. Waits until all of it was watched. */
    private synchronized long stalled(long from, long until) {
        while (watchedUntil < until) {
            if (closed) {
                throw new IllegalStateException("No longer watched");
            }
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return stalls.within(from, until);
    }

    @Override
    public void close() {
        closed = true;
    }

    private void watch() {
        while (!closed) {
            long due = System.nanoTime() + SLEEP;
            LockSupport.parkNanos(SLEEP);
            add(due, System.nanoTime());
        }
    }

    private synchronized void add(long due, long woken) {
        if (woken - due > USUAL) {
            stalls.add(due, woken);
        }
        watchedUntil = woken;
        notifyAll();
    }

    private long nanos(Instant at) {
        return begun + Duration.between(begunAt, at).toNanos();
    }
}
