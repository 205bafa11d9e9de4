package dev.election.ledger;

import dev.election.FencingToken;

/** Works with the ledgers of this node's leaderships. Told on threads of listeners, of one election never two things at a time. */
public interface LedgerUser {

    /** Whether it needs the ledger of that election. */
    boolean uses(String election);

    /** This node leads, and what earlier leaders have recorded is known. */
    void opened(String election, Ledger ledger);

    /** This node still leads but begins nothing new. */
    default void resigning(String election) {}

    /** That leadership is over. */
    default void lost(String election, FencingToken token) {}
}
