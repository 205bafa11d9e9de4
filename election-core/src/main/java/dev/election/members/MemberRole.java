package dev.election.members;

/** The role of a member in an election. */
public enum MemberRole {
    /** Leads. */
    LEADER,
    /** Leads when no other does. */
    CANDIDATE,
    /** Never leads, but knows who does. */
    OBSERVER
}
