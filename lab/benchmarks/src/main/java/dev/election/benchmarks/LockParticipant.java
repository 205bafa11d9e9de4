package dev.election.benchmarks;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.function.Function;

/** A node of a library of locks: a thread takes one lock after the other, and keeps them. */
final class LockParticipant implements Participant {

    private final Function<String, Lock> locks;
    private final CountDownLatch handOver = new CountDownLatch(1);
    private final AtomicInteger held = new AtomicInteger();

    LockParticipant(Function<String, Lock> locks) {
        this.locks = locks;
    }

    @Override
    public void start(int elections) {
        Thread holder = new Thread(() -> hold(elections), "holder");
        holder.setDaemon(true);
        holder.start();
    }

    /** Awaits nothing: a node that waits for a lock does not know who has it. */
    @Override
    public boolean awaitResults(Duration patience) {
        return true;
    }

    @Override
    public void abdicate() {
        handOver.countDown();
    }

    @Override
    public Tally tally() {
        return new Tally(held.get(), 0, 0, 0);
    }

    private void hold(int elections) {
        try {
            for (int number = 0; number < elections; number++) {
                locks.apply("e" + number).lockInterruptibly();
                held.incrementAndGet();
            }
            handOver.await();
            // A lock belongs to the thread that has taken it.
            locks.apply("e0").unlock();
            held.decrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
