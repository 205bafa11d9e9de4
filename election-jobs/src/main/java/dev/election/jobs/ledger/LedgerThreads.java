package dev.election.jobs.ledger;

import dev.election.support.DelayedThreads;
import java.time.Duration;
import java.util.concurrent.Executor;

/** The threads on which ledgers are read and written again after a pause. */
final class LedgerThreads {

    private static final DelayedThreads THREADS = new DelayedThreads("election-ledger");

    private LedgerThreads() {}

    static Executor after(Duration pause) {
        return THREADS.after(pause);
    }
}
