package dev.election.jobs.internal;

import dev.election.FencingToken;

/** Works with the ledgers of this node's leaderships. Told on threads of listeners, of one election never two things at a time. */
public interface LedgerUser {

    /** Why it needs ledgers, for an application that has none. */
    Need need();

    /** Whether it needs the ledger of that election. */
    boolean uses(String election);

    /** This node leads, and what earlier leaders have recorded is known. */
    void opened(String election, Ledger ledger);

    /** This node still leads but begins nothing new. */
    default void resigning(String election) {}

    /** This node begins new work again, under the same leadership. */
    default void resumed(String election) {}

    /** The leadership is over. */
    default void lost(String election, FencingToken token) {}

    /**
     * Why ledgers are needed, and what to do without them.
     *
     * @param what the annotations or properties that need them, and where, in a few words
     * @param without what to change to do without, without a full stop
     */
    record Need(String what, String without) {}
}
