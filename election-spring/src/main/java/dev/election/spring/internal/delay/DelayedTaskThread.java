package dev.election.spring.internal.delay;

import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs delayed tasks on one daemon thread, which exists only while a task is scheduled. */
public final class DelayedTaskThread implements DelayedTasks {

    private final ScheduledThreadPoolExecutor thread;

    public DelayedTaskThread(String name) {
        thread = new DaemonThreads(name).timer(Duration.ofSeconds(1));
    }

    @Override
    public Planned after(Duration delay, Runnable task) {
        ScheduledFuture<?> planned = thread.schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
        return () -> planned.cancel(false);
    }

    @Override
    public Instant now() {
        return Instant.now();
    }
}
