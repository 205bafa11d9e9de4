package dev.election.http;

import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends what has taken too long by closing its socket. The timeout of a socket is for each read, so that a server which sends a byte from time
 * to time would hold a request for ever. Its thread ends when nothing is under way.
 */
public final class HttpDeadlines implements AutoCloseable {

    private final ScheduledThreadPoolExecutor timer;

    /** Creates deadlines whose thread has that name. */
    public HttpDeadlines(String name) {
        this.timer = new DaemonThreads(name).timer(Duration.ofSeconds(10));
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(true);
    }

    /** Runs the task after that time unless it is cancelled before. */
    Future<?> after(Duration limit, Runnable task) {
        return timer.schedule(task, limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Takes no more deadlines. Those of what is under way still hold: a handshake that is never answered would last for ever. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
