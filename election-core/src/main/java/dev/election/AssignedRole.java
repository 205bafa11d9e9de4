package dev.election;

/** The role of a node in an election by its configuration or by {@link Election#setRole}. {@link Role} says what came of it. */
public enum AssignedRole {
    /** Campaigns when there is no leader, and leads when it is granted the lease. */
    CANDIDATE,
    /** Never campaigns and never leads, but knows who does. */
    OBSERVER
}
