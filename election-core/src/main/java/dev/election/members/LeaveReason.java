package dev.election.members;

/** Why a member is not there any more. */
public enum LeaveReason {
    /** The process stopped in an orderly way. */
    STOPPED,
    /** The process has not been heard of for too long: it was killed, hangs, or can't reach the store. */
    EXPIRED
}
