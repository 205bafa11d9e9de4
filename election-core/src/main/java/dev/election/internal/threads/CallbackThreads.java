package dev.election.internal.threads;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The default executor of listeners. Its threads end when they are idle, and another one is started only if none is idle: to start a
 * thread takes longer than to decide who leads. A few dozen threads are enough for callbacks that return. If as many callbacks hang,
 * further threads are started, so that other listeners are still called.
 */
public final class CallbackThreads implements Executor {

    private static final int THREADS = 32;
    private static final int FURTHER_THREADS = 1_000;
    private static final int KEEP_ALIVE_MILLIS = 500;

    private final Executor later;
    private final AtomicInteger number = new AtomicInteger();
    private final ForkJoinPool pool = pool(THREADS);
    private final ForkJoinPool further = pool(FURTHER_THREADS);
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isWatched = new AtomicBoolean();

    public CallbackThreads() {
        this(CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run));
    }

    /**
     * Creates an executor without threads.
     *
     * @param later runs a task after the longest time that a callback should take
     */
    public CallbackThreads(Executor later) {
        this.later = later;
    }

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
        try {
            pool.execute(this::callAll);
        } catch (RejectedExecutionException finished) {
            if (waiting.remove(task)) {
                throw finished;
            }
        }
        watch();
    }

    /** Shuts down, and waits for a moment until queued tasks have run. Does not wait if a listener calls it, as one that closes the application. */
    public void finish() {
        pool.shutdown();
        further.shutdown();
        ForkJoinPool own = ForkJoinTask.getPool();
        if (own == pool || own == further) {
            return;
        }
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        try {
            for (ForkJoinPool each : List.of(pool, further)) {
                if (!each.awaitTermination(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    each.shutdownNow();
                }
            }
        } catch (InterruptedException e) {
            pool.shutdownNow();
            further.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private void callAll() {
        watch();
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    private void watch() {
        if (!waiting.isEmpty()
                && !further.isShutdown()
                && pool.getPoolSize() >= THREADS
                && isWatched.compareAndSet(false, true)) {
            lookAgain(null);
        }
    }

    private void lookAgain(@Nullable Runnable before) {
        later.execute(() -> {
            Runnable first = waiting.peek();
            if (first == null || further.isShutdown()) {
                isWatched.set(false);
                // A task may have been queued in between.
                watch();
                return;
            }
            if (first == before) {
                callFurther();
            }
            lookAgain(first);
        });
    }

    /** Runs the queued tasks on further threads, since callbacks that hang occupy all of the first pool. */
    private void callFurther() {
        try {
            waiting.stream().limit(THREADS).forEach(one -> further.execute(this::callAll));
        } catch (RejectedExecutionException finished) {
            // The engine is closed, so nobody waits for the tasks.
        }
    }

    private ForkJoinPool pool(int threads) {
        return new ForkJoinPool(
                threads, this::thread, null, true, 0, threads, 0, null, KEEP_ALIVE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private ForkJoinWorkerThread thread(ForkJoinPool owner) {
        ForkJoinWorkerThread thread = new ForkJoinWorkerThread(owner) {};
        thread.setName("election-callback-" + number.incrementAndGet());
        return thread;
    }
}
