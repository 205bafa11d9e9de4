package dev.election.engine;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The loop of a real process. */
final class ElectionThread implements Loop {

    private final Clock clock;
    private final ScheduledThreadPoolExecutor executor;

    ElectionThread(Clock clock) {
        this.clock = clock;
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "election");
            thread.setDaemon(true);
            return thread;
        });
        // Every step sets a new alarm: without this the dead ones would pile up until their time.
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public Alarm alarm(long at, Runnable task) {
        Future<?> future = executor.schedule(task, at - clock.nanos(), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    void shutdown() {
        executor.shutdown();
    }
}
