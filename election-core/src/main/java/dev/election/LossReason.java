package dev.election;

/** The reason why a leadership ended. */
public enum LossReason {
    /** It was not renewed in time: the process was paused, or the store did not answer before the lease ended. */
    EXPIRED,
    /** According to the store another candidacy leads. */
    SUPERSEDED,
    /** This node abdicated. */
    ABDICATED,
    /** This node stopped. */
    STOPPED,
    /** It was not renewed in time because the store answered with errors. */
    STORE_ERROR,
    /** The node was evicted, because it did not react to a request to abdicate. */
    EVICTED
}
