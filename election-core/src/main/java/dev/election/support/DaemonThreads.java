package dev.election.support;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that all have one name, and that don't keep the process alive. What they fail to catch goes to the default handler of the process, as on
 * threads of the application.
 */
public record DaemonThreads(String name) implements ThreadFactory {

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns an executor that runs each task at once. A thread ends when it had no task for that time. */
    public Executor unlimited(Duration idle) {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, idle.toMillis(), TimeUnit.MILLISECONDS, new SynchronousQueue<>(), this);
    }

    /** Returns an executor that begins each task after that time, on a thread that ends when it had no task for a second. */
    public Executor after(Duration pause) {
        return CompletableFuture.delayedExecutor(
                pause.toNanos(), TimeUnit.NANOSECONDS, unlimited(Duration.ofSeconds(1)));
    }

    /** Returns an executor with so many threads, for which tasks wait. A thread ends when it had no task for that time. */
    public ThreadPoolExecutor pool(int threads, Duration idle) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, idle.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), this);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Returns an executor of delayed tasks on one thread. It forgets those that are cancelled, or not due yet when it is shut down. */
    public ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, this);
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return timer;
    }

    /** Returns a {@link #timer()} whose thread ends when no task is due for that time. */
    public ScheduledThreadPoolExecutor timer(Duration idle) {
        ScheduledThreadPoolExecutor timer = timer();
        timer.setKeepAliveTime(idle.toMillis(), TimeUnit.MILLISECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }
}
