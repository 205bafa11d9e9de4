package dev.election.members;

/** The reason why a member is not there any more. */
public enum LeaveReason {
    /** The process stopped in an orderly way. */
    STOPPED,
    /** The heartbeats of the process have been missing for too long: it was killed, hangs, or can't reach the store. */
    EXPIRED
}
