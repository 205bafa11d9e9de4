package dev.election.internal.election;

/** A reason for which an election of this node waits before it takes part. */
public enum Hold {
    /** It is not known yet whether this node is drained. */
    DRAIN,

    /** It is not known yet whether the store has the count of partitions of this node. */
    COUNT
}
