package dev.election.members;

/** The outcome of an order to drain a node, or to revoke that order. */
public enum DrainOutcome {
    /** The store keeps the order. */
    STORED,
    /** The store did not confirm the order: it may have taken it. */
    UNCONFIRMED,
    /** Nothing was sent: this process is no member at present. */
    NOT_A_MEMBER
}
