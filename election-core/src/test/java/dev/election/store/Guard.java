package dev.election.store;

/** A condition of the store's scripts without which something goes wrong; the same names stand in the Lua files. */
public enum Guard {
    /** Only the candidacy and token that hold the lease extend or release it. */
    OWNER,
    /** A lease that was forgotten comes back only while it has not ended. */
    EXPIRY,
    /** A lease that was forgotten comes back only if no higher token was granted. */
    SUPERSEDED,
    /** A lease that was released does not come back. */
    CLOSED,
    /** After the store has forgotten, nobody is granted the lease for as long as a leader may live. */
    QUARANTINE,
    /** A lease that vanished before its time is not granted to another. */
    DELETED,
    /** After a forgotten lease has come back, whoever is next waits for a full lease. */
    AFTERMATH,
    /** Where the record was written by another incarnation of the server, nobody is granted the lease for as long as a leader may live. */
    INCARNATION,
    /** A promoted replica is another incarnation however long its process has been there. */
    REPLICA,
    /** Whoever has a newer token takes the place of a lease that came back with old data. */
    NEWER
}
