package dev.election.internal.engine;

import dev.election.Election;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets callers wait for what the loop publishes. */
final class ResultMonitor {

    private volatile boolean hadResult;

    boolean hadResult() {
        return hadResult;
    }

    /**
     * Wakes whoever waits, but only for what is waited for: to wake a thread for nothing takes time from a change of leader.
     *
     * @param isResult whether somebody is known to lead
     * @param leads whether this node does
     */
    synchronized void post(boolean isResult, boolean leads) {
        boolean isFirst = isResult && !hadResult;
        hadResult |= isResult;
        if (isFirst || leads) {
            notifyAll();
        }
    }

    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        // Where it is waited for, each refused call of a guarded method asks here.
        return condition.getAsBoolean() || awaitNext(condition, timeout);
    }

    private synchronized boolean awaitNext(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long longest = Election.bounded(timeout).toNanos();
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long left = longest - (System.nanoTime() - begun);
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }
}
