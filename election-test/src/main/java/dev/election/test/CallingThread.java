package dev.election.test;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Runs listeners, and the continuations of outcomes, on the thread that caused them, once the election has decided. No two threads do so at
 * the same time.
 */
final class CallingThread implements Executor {

    private final BooleanSupplier isDeciding;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock calling = new ReentrantLock();

    /**
     * Creates the executor.
     *
     * @param isDeciding whether the current thread is amid a decision
     */
    CallingThread(BooleanSupplier isDeciding) {
        this.isDeciding = isDeciding;
    }

    /** Makes the call, or only queues it if this comes from within a decision or another call. */
    @Override
    public void execute(Runnable call) {
        waiting.add(call);
        if (!isDeciding.getAsBoolean() && !calling.isHeldByCurrentThread()) {
            callSoon();
        }
    }

    /** Makes the queued calls, and waits for those of another thread. */
    void callAll() {
        calling.lock();
        try {
            callWaiting();
        } finally {
            calling.unlock();
        }
        callSoon();
    }

    /** Makes the queued calls, or leaves them to a thread that already does: its listener may wait for the present caller. */
    void callSoon() {
        // Checked again each time, since a call that is queued while the last caller leaves would stay uncalled.
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
