package dev.election.fencing.internal.transaction;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Where a thread stops until the test lets it go on. */
final class Stop implements Runnable {

    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);

    @Override
    public void run() {
        reached.countDown();
        await(left);
    }

    void awaitReached() {
        await(reached);
    }

    void goOn() {
        left.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(30, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Nothing happened for 30 s");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
