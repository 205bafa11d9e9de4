package dev.election.spring.internal.interruption;

/** The way in which a call that has run for too long was ended. */
public enum Stopping {
    /** The thread on which the method runs was interrupted. */
    INTERRUPTED("is interrupted"),
    /** The coroutine was cancelled. */
    CANCELLED("is cancelled, which a coroutine notices where it suspends"),
    /** The call was not ended: its work is on threads that the guard does not know. */
    IMPOSSIBLE("can't be interrupted, since its work is on other threads");

    private final String text;

    Stopping(String text) {
        this.text = text;
    }

    /** The predicate of a sentence whose subject is the call. */
    public String text() {
        return text;
    }
}
