package dev.election.engine;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads on which listeners run unless the application brings its own. None lives while there is nothing to tell. */
final class CallbackThreads extends ThreadPoolExecutor {

    private static final int THREADS = 32;

    private final Backlog backlog;

    CallbackThreads() {
        this(new Backlog());
    }

    private CallbackThreads(Backlog backlog) {
        super(0, THREADS, 10, TimeUnit.SECONDS, backlog, numbered());
        this.backlog = backlog;
        setRejectedExecutionHandler((task, full) -> putOff(task));
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

    private void putOff(Runnable task) {
        if (isShutdown()) {
            throw new RejectedExecutionException("The engine is closed");
        }
        backlog.put(task);
    }

    /**
     * Takes a task only when a thread is waiting for one, so that the pool begins another thread only when none is; and what is
     * put off while all threads are busy.
     */
    private static final class Backlog extends LinkedTransferQueue<Runnable> {

        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable task) {
            return tryTransfer(task);
        }
    }
}
