package dev.election.internal.election;

import dev.election.Election;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets callers wait until something holds, such as that somebody leads. Thread-safe. */
public final class ResultMonitor {

    private volatile boolean hadResult;

    boolean hadResult() {
        return hadResult;
    }

    /** Wakes the waiting callers, which look again. */
    public synchronized void wake() {
        notifyAll();
    }

    /**
     * Wakes the waiting callers when the first leader is known, and whenever this node leads. Other changes wake nobody, since that would take time
     * from a change of leader.
     *
     * @param isResult whether a leader is known
     * @param leads whether this node leads
     */
    synchronized void post(boolean isResult, boolean leads) {
        boolean isFirst = isResult && !hadResult;
        hadResult |= isResult;
        if (isFirst || leads) {
            notifyAll();
        }
    }

    /** Waits until the condition holds. Returns whether it does. */
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        // Without the lock: a guarded method may check at each refused call.
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
