package dev.election.redis;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads for connecting, which blocks; they are gone while there is nothing to connect. */
final class ConnectThread {

    private static final Logger log = LoggerFactory.getLogger(ConnectThread.class);

    private final ScheduledThreadPoolExecutor executor;

    /** Whether attempts wait for a thread that could not be started. */
    private volatile boolean isMissing;

    /**
     * @param size how many attempts can be made at a time: one that hangs must not hold up those to other servers
     */
    ConnectThread(String name, int size) {
        this(
                task -> {
                    Thread thread = new Thread(task, name);
                    thread.setDaemon(true);
                    return thread;
                },
                size);
    }

    ConnectThread(ThreadFactory threads) {
        this(threads, 1);
    }

    private ConnectThread(ThreadFactory threads, int size) {
        executor = new ScheduledThreadPoolExecutor(size, threads);
        executor.setKeepAliveTime(5, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Makes the attempt after that pause, unless the store is closed before. */
    void attemptIn(long millis, Runnable attempt) {
        try {
            Future<?> unused = executor.schedule(attempt, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            log.trace("The store is closing", closing);
        } catch (OutOfMemoryError noThread) {
            // If it is only the thread that can't be had, the attempt is queued all the same.
            isMissing = true;
            log.warn("No thread can be started to connect to Redis; tried again when Redis is asked again", noThread);
        }
    }

    /** Tries again to start the thread if that has failed. */
    void ensureStarted() {
        if (isMissing) {
            try {
                executor.prestartCoreThread();
                isMissing = false;
            } catch (OutOfMemoryError noThread) {
                log.debug("Still no thread can be started to connect to Redis", noThread);
            }
        }
    }

    /** Lets no further attempt begin. */
    void shutdown() {
        executor.shutdown();
    }

    /** Whether the attempt that was under way has ended. */
    boolean awaitEnd(Duration patience) throws InterruptedException {
        return executor.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
    }
}
