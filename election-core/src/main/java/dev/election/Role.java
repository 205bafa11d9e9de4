package dev.election;

/** What part this node plays in an election. */
public enum Role {
    /** Leads now. */
    LEADER,
    /** Does not lead, and would take over. */
    FOLLOWER,
    /** Does not lead, and leaves the next grants to others for a while, because it has just given leadership up or was evicted. */
    COOLING_DOWN,
    /** Takes no part. */
    STOPPED
}
