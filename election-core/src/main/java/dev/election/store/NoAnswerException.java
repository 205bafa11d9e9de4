package dev.election.store;

import java.util.concurrent.CompletionException;

/** Carries a {@link NoAnswer} to the end of a chain of requests. */
final class NoAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient NoAnswer noAnswer;

    NoAnswerException(NoAnswer noAnswer) {
        super(noAnswer.detail(), null, false, false);
        this.noAnswer = noAnswer;
    }

    /** For {@code exceptionally}: the answer that the chain ends with. */
    static NoAnswer reply(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof NoAnswerException known) {
            return known.noAnswer;
        }
        throw new CompletionException(cause);
    }
}
