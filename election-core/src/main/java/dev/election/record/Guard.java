package dev.election.record;

/**
 * A condition of the {@link LeaseRules} without which something goes wrong. A test takes each of them out. The scripts of Redis use the same
 * names.
 */
public enum Guard {
    /** A campaign of one candidacy does not take the lease of another. */
    CANDIDACY,
    /** Only the candidacy that holds the lease extends or releases it. */
    OWNER,
    /** Only the token that holds the lease extends, releases or evicts it. */
    TOKEN,
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
    /** After another incarnation of the store wrote the record, nobody is granted the lease for as long as a leader may live. */
    INCARNATION,
    /** A lease that came back with old data is not granted again to its candidacy while others are kept out. */
    RESTORED,
    /** A candidacy that has not received its grant for a whole lease does not keep the others out for longer. */
    OVERDUE,
    /** A store that does not tell its incarnation grants only over a connection that has lasted for a lease. */
    CONNECTION,
    /** Nothing lasts for longer than it was made for where the clock has gone back. */
    CLOCK,
    /** A holder of a newer token replaces a lease that came back with old data. */
    NEWER
}
