package dev.election.jobs.ledger;

import dev.election.FencingToken;

/**
 * User of the ledgers of this node's leaderships. Called on threads of listeners, and {@link #opened} on a thread of the store, too: must
 * not block.
 */
public interface LedgerUser {

    /** The reason why this user needs ledgers, for the error in an application that has none. */
    Need need();

    /** Whether this user needs the ledger of that election. */
    boolean uses(String election);

    /** Called when this node leads, and what earlier leaders have recorded is known. */
    void opened(String election, Ledger ledger);

    /** Called when this node still leads but begins nothing new. */
    default void resigning(String election) {}

    /** Called when this node begins new work again, under the same leadership. */
    default void resumed(String election) {}

    /** Called when the leadership is over. */
    default void lost(String election, FencingToken token) {}

    /**
     * The reason why ledgers are needed, and what to do without them.
     *
     * @param what the annotations or properties that need them, and where, in a few words
     * @param without what to change to do without, without a full stop
     */
    record Need(String what, String without) {}
}
