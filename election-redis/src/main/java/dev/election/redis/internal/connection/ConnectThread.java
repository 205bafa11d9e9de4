package dev.election.redis.internal.connection;

import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads for connecting, which blocks. They end while there is nothing to connect. */
public final class ConnectThread {

    private static final Logger log = LoggerFactory.getLogger(ConnectThread.class);

    private final ScheduledThreadPoolExecutor executor;

    /**
     * @param size how many attempts can be made at a time: one that hangs must not hold up those to other servers
     */
    public ConnectThread(String name, int size) {
        executor = new ScheduledThreadPoolExecutor(size, new DaemonThreads(name));
        executor.setKeepAliveTime(5, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Makes the attempt after that pause, unless the store is closed before. */
    public void attemptIn(long millis, Runnable attempt) {
        try {
            Future<?> unused = executor.schedule(attempt, millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            log.trace("The store is closing", closing);
        }
    }

    /** Lets no further attempt begin. */
    public void shutdown() {
        executor.shutdown();
    }

    /** Ends what is still blocked. */
    public void interrupt() {
        executor.shutdownNow();
    }

    /** Whether the attempt that was under way has ended. */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        return executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }
}
