package dev.election;

/**
 * What came of an abdication. The first three are all that {@link Election#abdicate(Abdication)} of this node can come to; a request
 * to whichever node leads can come to any.
 */
public enum AbdicationOutcome {
    /** The store has confirmed the release; a successor can lead at once. */
    RELEASED,
    /** Leadership ended, but the store did not confirm the release: a successor leads at the end of the lease at the latest. */
    ENDED_UNCONFIRMED,
    /** There was nothing to give up: this node did not lead or, if any leader was asked, nobody did. */
    NOT_LEADER,
    /** The leader did not react, and the lease was taken from it: what it still does is fenced by its token only. */
    EVICTED,
    /** The wished successor leads already. */
    ALREADY_LEADS,
    /** The leader has heard, and its running work takes longer than was waited for. It releases when that has ended. */
    STILL_DRAINING,
    /** The leader did not react in time, and still leads. */
    NO_REACTION,
    /** The store did not answer, so nothing is known. */
    STORE_UNAVAILABLE,
    /** The store lacks a capability that the request needs, which the report names. Nobody was asked, and nothing was changed. */
    UNSUPPORTED
}
