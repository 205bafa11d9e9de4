package dev.election.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Lets callers wait for what the loop publishes. */
final class Bulletin {

    private boolean hadResult;

    synchronized boolean hadResult() {
        return hadResult;
    }

    synchronized void post(boolean isResult) {
        hadResult |= isResult;
        notifyAll();
    }

    synchronized boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long left = timeout.toNanos() - (System.nanoTime() - begun);
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }
}
