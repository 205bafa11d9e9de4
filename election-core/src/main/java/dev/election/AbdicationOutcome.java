package dev.election;

/**
 * The outcome of an abdication. {@link Election#abdicate(Abdication)} on this node has one of the first three; a request to the leader on
 * any node can have each of them.
 */
public enum AbdicationOutcome {
    /** The store has confirmed the release; a successor can lead at once. */
    RELEASED,
    /** Leadership ended, but the store did not confirm the release: a successor leads at the end of the lease at the latest. */
    ENDED_UNCONFIRMED,
    /** There was no leadership to release: this node did not lead or, for a request to the leader on any node, no node did. */
    NOT_LEADER,
    /** The leader did not react and was evicted. If it still works, only the fencing token protects the data from it. */
    EVICTED,
    /** The requested successor leads already. */
    ALREADY_LEADS,
    /** The leader has accepted the request, and its running work takes longer than the wait. It releases when the work has ended. */
    STILL_DRAINING,
    /** The leader did not react in time, and still leads. */
    NO_REACTION,
    /** The store did not answer, so the outcome is unknown. */
    STORE_UNAVAILABLE,
    /** The store lacks a capability that the request needs, which the report names. No request was sent, and nothing was changed. */
    UNSUPPORTED
}
