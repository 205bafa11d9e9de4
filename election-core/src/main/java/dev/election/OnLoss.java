package dev.election;

/** The effect of a loss of leadership on a running guarded call. */
public enum OnLoss {
    /** The call continues; only the fencing token can protect the data. */
    CONTINUE,
    /**
     * The thread of the call is interrupted. The job of a suspend function is cancelled, and its caller gets a {@code CancellationException}.
     * Work on other threads, publishers and flows continue.
     */
    INTERRUPT
}
