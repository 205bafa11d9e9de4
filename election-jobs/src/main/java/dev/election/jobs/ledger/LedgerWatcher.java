package dev.election.jobs.ledger;

import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;

/** Watcher of one ledger: hears how it fares, on whatever thread. Must not block. */
public interface LedgerWatcher {

    /** Called when the ledger is open, with what is in the store, before anything is written. */
    default void opened(LedgerStore.Opened found) {}

    /**
     * Called when the ledger could not be opened, and is tried again.
     *
     * @param failures in a row
     */
    void openFailed(LedgerStore.OpenReply reply, int failures);

    /** Called when the store has all that is to be written. */
    void written();

    /**
     * Called when the store did not take a change, which is tried again.
     *
     * @param failures in a row
     */
    void writeFailed(NoAnswer failure, int failures);

    /** Whether that entry is added to the ledger of a newer leader if this one can't write any more; others are dropped then. */
    default boolean outlasts(String name, String value) {
        return false;
    }

    /** Called when a job is about to wait until it is recorded. */
    default void jobWaits() {}

    /** Called when a job does not run, since it could not be recorded before. */
    default void jobDoesNotRun() {}
}
