package dev.election.internal.threads;

import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.support.DaemonThreads;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of a real process. Tasks run on its own thread, or on that of a caller of {@link #executeHere}. */
public final class ElectionThread implements Loop {

    private static final Logger log = LoggerFactory.getLogger(ElectionThread.class);

    private static final int PATIENCE_SECONDS = 2;

    /** How long the loop waits for an idle time: then an application that starts its elections has usually started, too. */
    private static final long IDLE_NANOS = 1_000_000_000L;

    private static final long RING_AGAIN_NANOS = 1_000_000_000L;

    private final Clock clock;
    private final ScheduledThreadPoolExecutor executor;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Number of tasks that are queued or running. The caller that raises it from 0 runs tasks until it is 0 again. */
    private final AtomicInteger unfinished = new AtomicInteger();

    public ElectionThread(Clock clock) {
        this.clock = clock;
        this.executor = new DaemonThreads("election").timer();
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
    public void whenIdle(Iterator<Runnable> errands) {
        runNext(errands, IDLE_NANOS);
    }

    /** Each errand has a turn of its own, so that an alarm that is due comes before the next one. */
    private void runNext(Iterator<Runnable> errands, long delay) {
        if (errands.hasNext()) {
            Future<?> unused = executor.schedule(
                    () -> {
                        run(errands.next());
                        runNext(errands, 0);
                    },
                    delay,
                    TimeUnit.NANOSECONDS);
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

    /** Runs the tasks that are due, and drops the alarms. */
    public void shutdown() {
        executor.shutdown();
        try {
            if (!executor.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                log.debug("The thread of the elections is still running and will end later");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the number of queued tasks. */
    int waiting() {
        return tasks.size();
    }

    /** Queues a task at once, so that no later one overtakes it. Returns whether the caller has to see to it that tasks are run. */
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

    /** Runs a task. A failure is logged and does not end the loop: nobody else would run the next task. */
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

    /** An alarm that repeats a failed task until it succeeds: an election without an alarm would wait forever. */
    private final class Timer implements Alarm {

        private final Runnable task;
        private final Runnable ring = this::ring;
        private final Future<?> due;

        /** Used on the loop only. */
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
