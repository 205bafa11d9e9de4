package dev.election.internal.election;

/** A reason for which an election of this node waits before it takes part. */
public enum Hold {
    /** The store has not said yet whether this node is drained. */
    DRAIN,

    /** The store has not said yet that it has the count of partitions of this node. */
    COUNT
}
