package dev.election.jobs.internal;

import dev.election.support.DelayedThreads;
import java.time.Duration;
import java.util.concurrent.Executor;

/** The threads on which ledgers are read and written again after a pause. */
public final class LedgerThreads {

    private static final DelayedThreads THREADS = new DelayedThreads("election-ledger");

    private LedgerThreads() {}

    public static Executor after(Duration pause) {
        return THREADS.after(pause);
    }
}
