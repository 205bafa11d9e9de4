package dev.election;

/**
 * The reason why the store gave no usable reply. None of these ends the election: requests are retried. The action here fits any store; a
 * store may return a more precise one.
 */
public enum StoreProblem {
    /** There is no connection. */
    UNREACHABLE("the store can't be reached: check that it runs and that host, port and TLS settings are right"),
    /** The request was sent, and no reply was received in time. */
    TIMED_OUT("the store does not answer in time: check its load and the network"),
    /** The store rejects the credentials. */
    UNAUTHENTICATED("the store refuses the credentials: check user name and password"),
    /** The user may not run the needed commands. */
    FORBIDDEN("the store user lacks a permission: grant it what the elections need"),
    /** The node asked is a replica. */
    READ_ONLY("the store is a read-only replica: connect to the primary"),
    /** The store is older than one that this node has seen: an old primary that came back, or one that has lost data. */
    REPLACED(
            "the store that answers is older than one that this node has seen: end the older one, or let this node connect"
                    + " to the newer one; if the newer one was given up, restart this node"),
    /** The store has fewer replicas than it requires to accept a write, as an old primary has after a failover. */
    TOO_FEW_REPLICAS("the store has too few replicas to accept writes: check its replicas"),
    /** The store is loading its data after a restart. */
    LOADING("the store is still loading its data: wait until it has finished"),
    /** The store runs something else that takes long, and refuses requests meanwhile. */
    BUSY("the store is busy with something that takes long: find out what it runs, and end it"),
    /** The store refuses further connections. */
    TOO_MANY_CONNECTIONS("the store has reached its limit of connections: raise it, or find out who holds so many"),
    /** The store refuses writes because it can't persist them. */
    CANNOT_PERSIST("the store can't write its data to disk and refuses writes: check its disk"),
    /** The store refuses writes because its memory is full. */
    OUT_OF_MEMORY("the store has reached its memory limit: raise it, or move the election to another store"),
    /** The cluster has no owner for the keys. */
    CLUSTER_DOWN("the store cluster is down or has no owner for the keys: check the state of its nodes"),
    /** A key of the election contains a value of another type. */
    WRONG_TYPE("a key of the election contains a value of another type: delete it or let the elections use other keys"),
    /** The ledger of the election would be larger than the store takes. */
    TOO_LARGE("the ledger of the election has become too large for this store, which writes it as a whole: let some of"
            + " its jobs use another election, or let it remember less (recoverWithin, the history of jobs)"),
    /** The record of the election has a newer format than this node knows. */
    NEWER_FORMAT(
            "the record of the election was written by a newer version of this library: upgrade the library on this"
                    + " node, which does not take part until then"),
    /** Any other error; see the detail. */
    UNKNOWN("the store returned an unexpected error: see the detail");

    private final String action;

    StoreProblem(String action) {
        this.action = action;
    }

    /** The problem and what to do about it with any store, in one sentence without a full stop. */
    public String action() {
        return action;
    }
}
