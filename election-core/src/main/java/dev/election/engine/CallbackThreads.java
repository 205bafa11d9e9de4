package dev.election.engine;

import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads on which listeners run unless the application brings its own. None lives while there is nothing to tell, and another
 * is begun only when none is idle: to begin one takes longer than to decide who leads.
 */
final class CallbackThreads implements Executor {

    private static final int THREADS = 32;
    private static final int KEEP_ALIVE_SECONDS = 10;

    private final AtomicInteger number = new AtomicInteger();
    private final ForkJoinPool pool = new ForkJoinPool(
            THREADS, this::thread, null, true, 0, THREADS, 0, null, KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);

    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /** Lets what is queued be told, for a moment. A listener may do this, as one that closes the application does: it goes on. */
    void finish() {
        pool.shutdown();
        try {
            if (ForkJoinTask.getPool() != pool && !pool.awaitTermination(2, TimeUnit.SECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException e) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private ForkJoinWorkerThread thread(ForkJoinPool owner) {
        ForkJoinWorkerThread thread = new ForkJoinWorkerThread(owner) {};
        thread.setName("election-callback-" + number.incrementAndGet());
        return thread;
    }
}
