package dev.election.members;

/** The outcome of sending a message. */
public enum SendOutcome {
    /** The store has passed the message on to all who listen. Whether anybody does is unknown. */
    PUBLISHED,
    /** This process knows no such member, or no leader of the election. Nothing was sent. */
    NO_SUCH_MEMBER,
    /**
     * The store gave no answer, so the message may be lost. Or nothing was sent: this process is not registered as a member for a lease, or not any
     * more, or too many of its messages are under way.
     */
    STORE_UNAVAILABLE
}
