package dev.election.jobs.internal;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for what the store answers to a leader that must not begin before it is recorded. */
final class Answers {

    /** Longer than any request to a store may take. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Answers() {}

    /** Whether the store has said yes; not if it has said no, nothing, or the thread is interrupted. */
    static boolean isYes(CompletionStage<Boolean> answer) {
        try {
            return answer.toCompletableFuture().get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException none) {
            return false;
        }
    }
}
