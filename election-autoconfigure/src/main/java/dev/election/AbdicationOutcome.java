package dev.election;

/** What came of an abdication. */
public enum AbdicationOutcome {
    /** The store has confirmed the release; a successor can lead at once. */
    RELEASED,
    /** Leadership ended here, but the store did not confirm the release: a successor leads at the end of the lease at the latest. */
    ENDED_UNCONFIRMED,
    /** This node did not lead, so there was nothing to give up. */
    NOT_LEADER
}
