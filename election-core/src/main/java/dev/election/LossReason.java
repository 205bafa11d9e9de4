package dev.election;

/** The reason why a leadership ended. */
public enum LossReason {
    /**
     * The process was paused for longer than its lease, or the store no longer had the lease. In the history also: the leader has not
     * recorded another reason, as after a crash or when it could not reach the store.
     */
    EXPIRED,
    /** According to the store another candidacy leads. */
    SUPERSEDED,
    /** This node abdicated, by an order or a call of the application. */
    ABDICATED,
    /** This node handed over by itself, since another one should lead. Its running work was over. */
    PREEMPTED,
    /** This node stopped. */
    STOPPED,
    /** Requests to the store failed or were not answered until the lease ended. */
    STORE_ERROR,
    /** The node was evicted, because it did not react to a request to abdicate. */
    EVICTED;

    /** Whether the leader gave leadership up, after the wait for its running work. */
    public boolean isOrderly() {
        return this == ABDICATED || this == PREEMPTED || this == STOPPED;
    }
}
