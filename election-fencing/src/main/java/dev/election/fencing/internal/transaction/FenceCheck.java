package dev.election.fencing.internal.transaction;

import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Checks the tokens of one transaction before its commit: the last of all that is done there, so that the locks are held for as short a time
 * as possible, and in the order of the names, so that two transactions never wait for each other.
 */
final class FenceCheck implements TransactionSynchronization {

    private final DataSource database;
    private final Map<String, FencedCall> calls = new TreeMap<>();
    private boolean checked;

    private FenceCheck(DataSource database) {
        this.database = database;
    }

    /** The check of the current transaction. */
    static FenceCheck current(DataSource database) {
        for (TransactionSynchronization registered : TransactionSynchronizationManager.getSynchronizations()) {
            if (registered instanceof FenceCheck check && check.database == database) {
                return check;
            }
        }
        FenceCheck check = new FenceCheck(database);
        TransactionSynchronizationManager.registerSynchronization(check);
        return check;
    }

    /**
     * Adds a call that joins the transaction. If two of one resource have different tokens, the older one counts: what it has written may be
     * out of date.
     */
    void add(FencedCall call, boolean isBeingCommitted) {
        calls.merge(
                call.fence().resource(),
                call,
                (one, other) -> one.held().token().isNewerThan(other.held().token()) ? other : one);
        if (checked || isBeingCommitted) {
            // Of a call from a callback of the commit: beforeCommit has passed, or has been collected without this
            // check.
            call.transactions().check(call, database);
        }
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        checked = true;
        calls.values().forEach(call -> call.transactions().check(call, database));
    }

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }
}
