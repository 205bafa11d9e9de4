package dev.election.store;

/** The reply to a request to remove an instance. */
public sealed interface LeaveReply permits LeaveReply.Left, NoAnswer {

    /** The instance is not registered any more. */
    record Left() implements LeaveReply {}
}
