package dev.election.engine;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads on which listeners run unless the application brings its own. None lives while there is nothing to tell. */
final class CallbackThreads extends ThreadPoolExecutor {

    private static final int THREADS = 32;

    CallbackThreads() {
        super(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), numbered());
        allowCoreThreadTimeOut(true);
    }

    private static ThreadFactory numbered() {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "election-callback-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Lets what is queued be told, for a moment. */
    void finish() {
        shutdown();
        try {
            if (!awaitTermination(2, TimeUnit.SECONDS)) {
                shutdownNow();
            }
        } catch (InterruptedException e) {
            shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
