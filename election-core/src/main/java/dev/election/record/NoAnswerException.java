package dev.election.record;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Carries a {@link NoAnswer} to the end of a chain of requests. */
final class NoAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient NoAnswer noAnswer;

    NoAnswerException(NoAnswer noAnswer) {
        super(noAnswer.detail(), null, false, false);
        this.noAnswer = noAnswer;
    }

    /** Sends a request. The stage fails if the store throws, or returns {@code null}, against its contract. */
    static <T> CompletionStage<T> asked(Supplier<CompletionStage<T>> request) {
        try {
            return Objects.requireNonNull(request.get(), "the store gave no stage")
                    .thenApply(answer -> Objects.requireNonNull(answer, "the store gave no answer"));
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Returns the answer with which a failed chain ends, for {@code exceptionally}. */
    static NoAnswer reply(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof NoAnswerException known) {
            return known.noAnswer;
        }
        return new NoAnswer(StoreProblem.UNKNOWN, String.valueOf(cause));
    }
}
