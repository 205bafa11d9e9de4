package dev.election.testing;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A part of a test on a thread of its own. */
public final class Background {

    private final CompletableFuture<Void> done = new CompletableFuture<>();

    private Background() {}

    /** Runs it. */
    public static Background run(Part part) {
        Background background = new Background();
        Thread thread = new Thread(() -> {
            try {
                part.run();
                background.done.complete(null);
            } catch (Exception | Error failure) {
                background.done.completeExceptionally(failure);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return background;
    }

    /** Waits for the end of a part each of whose waits has a bound of its own, and fails as it did. */
    public void await() throws InterruptedException, ExecutionException {
        done.get();
    }

    /** Waits for its end, and fails as it did. */
    public void await(Duration time) throws InterruptedException, TimeoutException, ExecutionException {
        done.get(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** What is run. */
    public interface Part {
        void run() throws Exception;
    }
}
