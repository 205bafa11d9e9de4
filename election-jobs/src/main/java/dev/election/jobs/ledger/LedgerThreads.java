package dev.election.jobs.ledger;

import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The threads on which ledgers are read and written again after a pause. */
final class LedgerThreads {

    private static final Executor THREADS = new DaemonThreads("election-ledger").unlimited(Duration.ofSeconds(1));

    private LedgerThreads() {}

    static Executor after(Duration pause) {
        return CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS, THREADS);
    }
}
