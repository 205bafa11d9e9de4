package dev.election;

/** The behaviour of a guarded call on a node that does not lead. */
public enum Otherwise {
    /** The call does nothing and returns an empty result. */
    SKIP,
    /** The call throws a {@link NotLeaderException}, or returns a stage, publisher or flow that fails with it. */
    FAIL
}
