package dev.election.jobs.ledger;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the answer of the store to a record without which a job must not begin. */
final class Confirmation {

    /** Longer than any request to a store may take. */
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private Confirmation() {}

    /** Returns whether the store has recorded it: not if it refused or did not answer, or this thread is interrupted. */
    static boolean await(CompletionStage<Boolean> answer) {
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
