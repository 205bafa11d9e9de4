package dev.election.members;

/** The outcome of a message in this process, of which it counts each. */
public enum MessageCount {
    /** The store has passed on a message, a question or a reply of this process. */
    PUBLISHED,
    /** The store did not answer when this process sent a message, a question or a reply; or too many were under way. */
    NOT_PUBLISHED,
    /** A handler has handled the message. */
    HANDLED,
    /** A handler has thrown an exception. */
    FAILED,
    /** Dropped: there is no handler of its type. */
    UNKNOWN_TYPE,
    /** Dropped: this process knows no member that is named as its sender. */
    UNKNOWN_SENDER,
    /** Dropped: too many messages wait for their handlers. */
    OVERFLOW,
    /** Dropped: the message is too large. */
    OVERSIZED,
    /** Dropped: the text is no message that this version can read. */
    MALFORMED,
    /** Dropped: a reply that nobody waits for any more, or that another member than the one that was asked has sent. */
    UNEXPECTED_REPLY
}
