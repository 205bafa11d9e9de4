package dev.election;

/** The role of this node in an election. */
public enum Role {
    /** Leads now. */
    LEADER,
    /** Does not lead, and campaigns when there is no leader. */
    FOLLOWER,
    /** Does not lead, and does not campaign: for a while after it has abdicated or was evicted, and until a {@link LeaderRecovery} has returned. */
    COOLING_DOWN,
    /** Never campaigns, and knows who leads. */
    OBSERVER,
    /** Does not take part. */
    STOPPED
}
