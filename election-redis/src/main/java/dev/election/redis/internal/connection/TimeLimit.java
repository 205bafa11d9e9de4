package dev.election.redis.internal.connection;

import java.util.concurrent.TimeUnit;

/**
 * The end of a wait. Meant for a timer of the thread that reads the connections: data that has arrived is read before such a timer runs.
 *
 * @param end on the monotonic clock
 * @param timeout how long is waited at most for one sign of life
 */
public record TimeLimit(long end, long timeout) {

    public static TimeLimit in(long nanos, long timeout) {
        return new TimeLimit(System.nanoTime() + nanos, timeout);
    }

    /**
     * Whether the timer was late. Then this process or its machine stood still, and what it did not hear meanwhile says nothing of the
     * server: replies may lie unread. Half of the timeout: whoever is later than that was awake for less than two thirds of the wait,
     * while smaller delays are common on a busy machine, on which a dead connection has to be noticed too.
     */
    public boolean isNoticedLate() {
        return System.nanoTime() - end > timeout / 2;
    }

    long lateMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - end);
    }
}
