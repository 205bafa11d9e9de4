package dev.election.autoconfigure.internal;

import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Asks every 5 s, on a thread of its own, whether this process is up. A question that is not answered by the next one counts as an answer: down. */
public final class HealthQuestions implements AutoCloseable {

    static final Duration PAUSE = Duration.ofSeconds(5);

    private final Supplier<@Nullable String> question;
    private final ResultListener listener;
    private final LongSupplier nanos;
    private final ScheduledExecutorService clock = new DaemonThreads("election-health-clock").timer();
    private final ExecutorService asker = Executors.newSingleThreadExecutor(new DaemonThreads("election-health"));

    /** Whether the latest question has no answer yet. */
    private volatile boolean isAsking;

    /** Receives the result of each question, on any thread. */
    @FunctionalInterface
    public interface ResultListener {

        /**
         * Called with the result of one question.
         *
         * @param problem what is down, {@code null} if nothing is
         * @param askedAt when it was asked, by {@link System#nanoTime}
         */
        void onResult(@Nullable String problem, long askedAt);
    }

    /**
     * Asks nothing yet.
     *
     * @param question returns what is down, {@code null} if nothing is; may block
     * @param listener receives the results
     */
    public HealthQuestions(Supplier<@Nullable String> question, ResultListener listener) {
        this(question, listener, System::nanoTime);
    }

    HealthQuestions(Supplier<@Nullable String> question, ResultListener listener, LongSupplier nanos) {
        this.question = question;
        this.listener = listener;
        this.nanos = nanos;
    }

    /** Begins to ask. */
    public void start() {
        ScheduledFuture<?> unused = clock.scheduleAtFixedRate(this::ask, 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    void ask() {
        long askedAt = nanos.getAsLong();
        if (isAsking) {
            listener.onResult("no answer for " + PAUSE.toSeconds() + " s", askedAt);
            return;
        }
        isAsking = true;
        CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> answer(askedAt), asker);
    }

    /** Drops an answer that comes after the next question, which has already reported this process as down. */
    private void answer(long askedAt) {
        String problem = answer();
        isAsking = false;
        if (nanos.getAsLong() - askedAt < PAUSE.toNanos()) {
            listener.onResult(problem, askedAt);
        }
    }

    private @Nullable String answer() {
        try {
            return question.get();
        } catch (RuntimeException | LinkageError failure) {
            return failure.toString();
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
        asker.shutdownNow();
    }
}
