package dev.election.test;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Where listeners run, and whoever waits for an outcome: on the thread that caused it, once the election has decided. No two threads call
 * anybody at a time.
 */
final class CallingThread implements Executor {

    private final BooleanSupplier isDeciding;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock calling = new ReentrantLock();

    /**
     * Creates it.
     *
     * @param isDeciding whether the current thread is amid a decision
     */
    CallingThread(BooleanSupplier isDeciding) {
        this.isDeciding = isDeciding;
    }

    /** Only notes the call if it comes from within a decision or another call. */
    @Override
    public void execute(Runnable call) {
        waiting.add(call);
        if (!isDeciding.getAsBoolean() && !calling.isHeldByCurrentThread()) {
            callSoon();
        }
    }

    /** Returns when everything noted so far has been called. */
    void callAll() {
        calling.lock();
        try {
            callWaiting();
        } finally {
            calling.unlock();
        }
        callSoon();
    }

    /** Leaves it to the thread that is calling, if there is one: a listener may be waiting for the caller to get on. */
    void callSoon() {
        // Asked again each time, since what is noted while the last caller leaves would stay uncalled.
        while (!waiting.isEmpty() && calling.tryLock()) {
            try {
                callWaiting();
            } finally {
                calling.unlock();
            }
        }
    }

    private void callWaiting() {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }
}
