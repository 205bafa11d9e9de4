package dev.election.quartz.internal.scheduler;

/**
 * Makes changes to a job store that nodes share, each as one. Spring's job store for databases leaves the transaction to its caller:
 * outside of one its locks last for a statement, and another node sees half of a change.
 */
@FunctionalInterface
public interface StoreTransactions {

    /** Makes changes without a transaction. */
    StoreTransactions NONE = Change::make;

    /** Makes the change in a transaction of the calling thread: all of it, or nothing if it fails. */
    void make(Change change) throws Exception;

    /** A change that is made as a whole. */
    @FunctionalInterface
    interface Change {
        void make() throws Exception;
    }
}
