package dev.election;

/**
 * Why the store gave no usable answer. None of them ends the election: it goes on trying. What to do is said here for any store; the
 * store that answered says it for itself.
 */
public enum StoreProblem {
    /** There is no connection. */
    UNREACHABLE("the store can't be reached: check that it runs and that host, port and TLS settings are right"),
    /** The request was sent, and no answer came in time. */
    TIMED_OUT("the store does not answer in time: check its load and the network"),
    /** The store wants other credentials. */
    UNAUTHENTICATED("the store refuses the credentials: check user name and password"),
    /** The user may not run the needed commands. */
    FORBIDDEN("the store user lacks a permission: grant it what the elections need"),
    /** The node asked is a replica. */
    READ_ONLY("the store is a read-only replica: connect to the primary"),
    /** The store has fewer replicas than it must have to accept a write; an old primary after a failover has none. */
    TOO_FEW_REPLICAS("the store has too few replicas to accept writes: check its replicas"),
    /** The store reads its data after a restart. */
    LOADING("the store is still loading its data: wait until it has finished"),
    /** The store refuses writes because it can't persist them. */
    CANNOT_PERSIST("the store can't write its data to disk and refuses writes: check its disk"),
    /** The store refuses writes because its memory is full. */
    OUT_OF_MEMORY("the store has reached its memory limit: raise it, or move the election to another store"),
    /** The cluster has no owner for the keys. */
    CLUSTER_DOWN("the store cluster is down or has no owner for the keys: check the state of its nodes"),
    /** A key of the election holds something else. */
    WRONG_TYPE("a key of the election holds a value of another kind: delete it or let the elections use other keys"),
    /** The record of the election has a newer format than this node knows. */
    NEWER_FORMAT(
            "the record of the election was written by a newer version of this library: upgrade it on this node, which takes no part until then"),
    /** Anything else; the detail tells. */
    UNKNOWN("the store returned an unexpected error: see the detail");

    private final String action;

    StoreProblem(String action) {
        this.action = action;
    }

    /** What is wrong and what to do with any store, in one sentence without a full stop. */
    public String action() {
        return action;
    }
}
