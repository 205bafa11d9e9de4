package dev.election.internal.engine;

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
 * The threads on which listeners run unless the application brings its own. None lives while there is nothing to tell, and another
 * is begun only when none is idle: to begin one takes longer than to decide who leads. A few dozen are enough for callbacks that
 * return; where so many do not, further ones are begun, so that they hold up no other.
 */
final class CallbackThreads implements Executor {

    private static final int THREADS = 32;
    private static final int FURTHER_THREADS = 1_000;
    private static final int KEEP_ALIVE_MILLIS = 500;

    private final Executor later;
    private final AtomicInteger number = new AtomicInteger();
    private final ForkJoinPool pool = pool(THREADS);
    private final ForkJoinPool further = pool(FURTHER_THREADS);
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean isWatched = new AtomicBoolean();

    CallbackThreads() {
        this(CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run));
    }

    /**
     * Creates them.
     *
     * @param later runs something after as long as a callback should take at most
     */
    CallbackThreads(Executor later) {
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

    /** Lets what is queued be told, for a moment. A listener may do this, as one that closes the application does: it goes on. */
    void finish() {
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
                // Something may have come in between.
                watch();
                return;
            }
            if (first == before) {
                callFurther();
            }
            lookAgain(first);
        });
    }

    /** All others are occupied by callbacks that take too long. */
    private void callFurther() {
        try {
            waiting.stream().limit(THREADS).forEach(one -> further.execute(this::callAll));
        } catch (RejectedExecutionException finished) {
            // Nobody waits for it any more.
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
