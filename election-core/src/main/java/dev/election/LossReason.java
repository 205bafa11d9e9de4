package dev.election;

/** Why a leadership ended. */
public enum LossReason {
    /** It was not renewed in time: the process was paused, or the store did not answer before the lease ended. */
    EXPIRED,
    /** The store says that another candidacy leads. */
    SUPERSEDED,
    /** This node gave it up. */
    ABDICATED,
    /** This node stopped. */
    STOPPED,
    /** It was not renewed in time because the store answered with errors. */
    STORE_ERROR,
    /** It was taken away by force, because the node did not react to a request to give it up. */
    EVICTED
}
