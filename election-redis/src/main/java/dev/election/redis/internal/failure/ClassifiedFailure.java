package dev.election.redis.internal.failure;

import dev.election.store.NoAnswer;

/** A failure with its meaning for an election. It has no stack trace but that of its cause. */
public final class ClassifiedFailure extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient NoAnswer answer;

    ClassifiedFailure(NoAnswer answer, Throwable cause) {
        super(answer.problem() + ": " + answer.detail(), cause, false, false);
        this.answer = answer;
    }

    public NoAnswer answer() {
        return answer;
    }
}
