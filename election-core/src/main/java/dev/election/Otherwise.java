package dev.election;

/** What a guarded call does on a node that does not lead. */
public enum Otherwise {
    /** Nothing; the caller gets nothing back. */
    SKIP,
    /** It throws a {@link NotLeaderException}, or returns a stage, publisher or flow that fails with it. */
    FAIL
}
