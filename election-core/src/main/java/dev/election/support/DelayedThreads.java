package dev.election.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks after a pause on daemon threads with a name. A thread ends after a second without a task. The JDK would run them on threads
 * whose names say nothing in a log: on the common pool, or on a machine with two processors each on a thread of its own.
 */
public final class DelayedThreads {

    private final Executor threads;

    /** Creates the executor without starting a thread. */
    public DelayedThreads(String name) {
        this.threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), new DaemonThreads(name));
    }

    /** Returns an executor that runs each task on such a thread when that time has passed. */
    public Executor after(Duration pause) {
        return CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, threads);
    }
}
