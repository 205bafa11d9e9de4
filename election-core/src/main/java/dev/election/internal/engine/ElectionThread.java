package dev.election.internal.engine;

import dev.election.support.DaemonThreads;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of a real process: a thread of its own, and the threads that it may borrow. */
final class ElectionThread implements Loop {

    private static final Logger log = LoggerFactory.getLogger(ElectionThread.class);

    private static final int PATIENCE_SECONDS = 2;
    private static final long RING_AGAIN_NANOS = 1_000_000_000L;

    private final Clock clock;
    private final ScheduledThreadPoolExecutor executor;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** How many tasks are queued or being run. Whoever raises it from 0 sees to it that tasks are run until it is 0 again. */
    private final AtomicInteger unfinished = new AtomicInteger();

    ElectionThread(Clock clock) {
        this.clock = clock;
        this.executor = new ScheduledThreadPoolExecutor(1, new DaemonThreads("election"));
        // Every step sets a new alarm: without this the dead ones would pile up until their time.
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        if (isFirst(task)) {
            executor.execute(this::runAll);
        }
    }

    @Override
    public void executeHere(Runnable task) {
        if (isFirst(task)) {
            runAll();
        }
    }

    @Override
    public void aside(Runnable errand) {
        Future<?> soon = executor.schedule(() -> run(errand), 0, TimeUnit.NANOSECONDS);
        if (soon.isCancelled()) {
            throw new RejectedExecutionException("The engine is closed");
        }
    }

    @Override
    public Alarm alarm(long at, Runnable task) {
        try {
            return new Timer(at, task);
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    /** Does what is to be done at once, and nothing that is due later. */
    void shutdown() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                log.debug("The thread of the elections is still running and will end later");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** How many tasks wait for the one that is being run. */
    int waiting() {
        return tasks.size();
    }

    /** Queues the task, here and now: nothing that is handed over later may overtake it. Whether nobody runs tasks yet. */
    private boolean isFirst(Runnable task) {
        if (executor.isShutdown()) {
            throw new RejectedExecutionException("The engine is closed");
        }
        tasks.add(task);
        return unfinished.getAndIncrement() == 0;
    }

    private void runAll() {
        do {
            run(tasks.remove());
        } while (unfinished.decrementAndGet() > 0);
    }

    /** Whatever a task throws, the next one is run: nobody else would run it. */
    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable defect) {
            report(defect);
        }
    }

    private static void report(Throwable defect) {
        try {
            log.error("Internal error in a task of the elections. The elections continue", defect);
        } catch (Throwable unreported) {
            // An appender that throws must not end the loop either.
            return;
        }
    }

    /** Runs its task again until it has not failed: an election whose alarm is lost would wait for ever. */
    private final class Timer implements Alarm {

        private final Runnable task;
        private final Runnable ring = this::ring;
        private final Future<?> due;

        /** In the loop only. */
        private boolean cancelled;

        private Timer(long at, Runnable task) {
            this.task = task;
            this.due = executor.scheduleWithFixedDelay(
                    this::handOver, at - clock.nanos(), RING_AGAIN_NANOS, TimeUnit.NANOSECONDS);
        }

        private void handOver() {
            try {
                executeHere(ring);
            } catch (RejectedExecutionException closed) {
                log.trace("The engine is closed", closed);
            }
        }

        private void ring() {
            if (!cancelled) {
                task.run();
            }
            cancel();
        }

        @Override
        public void cancel() {
            cancelled = true;
            due.cancel(false);
        }
    }
}
