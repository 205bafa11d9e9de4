package dev.election;

/** What a guarded call does on a node that does not lead. */
public enum Otherwise {
    /** It does nothing and returns an empty result. */
    SKIP,
    /** It throws a {@link NotLeaderException}, or returns a stage, publisher or flow that fails with it. */
    FAIL
}
