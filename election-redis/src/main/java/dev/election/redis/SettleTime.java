package dev.election.redis;

/** Time for which a Redis without a record of an election grants nothing, so that a leader whose record it has lost can renew. */
public enum SettleTime {

    /** A second: as long as a leader needs to connect again and to answer a roll call. A slower one may miss that. */
    AS_NEEDED,

    /** A whole lease, after which the lease of every earlier leader has ended. */
    WHOLE_LEASE
}
