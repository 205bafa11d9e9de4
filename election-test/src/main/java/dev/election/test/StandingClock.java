package dev.election.test;

import dev.election.engine.Clock;
import dev.election.engine.Loop;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The loop and the clock of the elections of a test. A task runs on the thread that hands it over, with all tasks that follow from it. Time
 * stands still in between, so that no lease ends by itself. With each task it moves on to the present, and alarms that are due run first.
 */
final class StandingClock implements Loop, Clock {

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock. */
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    /** Guarded by the lock. */
    private final PriorityQueue<Waiting> alarms = new PriorityQueue<>(Comparator.comparingLong(Waiting::at));

    private final LongSupplier present;
    private final Instant beginning = Instant.now();
    private final long begun;
    private volatile long now;

    /**
     * Creates the clock.
     *
     * @param present counts nanoseconds also while this clock stands still
     */
    StandingClock(LongSupplier present) {
        this.present = present;
        this.begun = present.getAsLong();
        this.now = begun;
    }

    @Override
    public void execute(Runnable task) {
        lock.lock();
        try {
            boolean isDeciding = lock.getHoldCount() > 1;
            if (isDeciding) {
                tasks.add(task);
                return;
            }
            moveTo(present.getAsLong());
            tasks.add(task);
            moveTo(now);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void executeHere(Runnable task) {
        execute(task);
    }

    /** Runs the errand at once: the engine only queues calls here. */
    @Override
    public void aside(Runnable errand) {
        errand.run();
    }

    @Override
    public Alarm alarm(long at, Runnable task) {
        Waiting waiting = new Waiting(at, task);
        alarms.add(waiting);
        return () -> alarms.remove(waiting);
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Instant wall() {
        return beginning.plusNanos(now - begun);
    }

    /** Whether the calling thread is amid a decision. */
    boolean isDeciding() {
        return lock.isHeldByCurrentThread();
    }

    /** Milliseconds since 1970, for the store. */
    long millis() {
        return wall().toEpochMilli();
    }

    private void moveTo(long time) {
        runTasks();
        for (Waiting due = due(time); due != null; due = due(time)) {
            now = Math.max(now, due.at);
            due.task.run();
            runTasks();
        }
        now = Math.max(now, time);
    }

    private @Nullable Waiting due(long time) {
        Waiting first = alarms.peek();
        return first == null || first.at > time ? null : alarms.remove();
    }

    private void runTasks() {
        for (Runnable next = tasks.poll(); next != null; next = tasks.poll()) {
            next.run();
        }
    }

    /** An alarm. Two alarms differ, even with the same task and time. */
    private static final class Waiting {

        private final long at;
        private final Runnable task;

        private Waiting(long at, Runnable task) {
            this.at = at;
            this.task = task;
        }

        private long at() {
            return at;
        }
    }
}
