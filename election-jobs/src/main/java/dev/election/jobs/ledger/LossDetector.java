package dev.election.jobs.ledger;

import dev.election.FencingToken;
import dev.election.store.LedgerStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Asks the store once a minute whether it still has the ledgers of this process's leaders, which would otherwise notice a loss only at the
 * next slot. One request asks for all ledgers; empty ones are left out.
 */
final class LossDetector {

    private static final Duration EVERY = Duration.ofMinutes(1);

    private final Supplier<LedgerStore> ledger;
    private final Map<String, Ledger> latest;

    /** Whether the next check is planned. Guarded by this, like the next field. */
    private boolean planned;

    private boolean closed;

    /**
     * Creates a detector that is idle until a ledger is opened.
     *
     * @param ledger asked for at each check
     * @param latest the entries of the latest leadership of this node, by election
     */
    LossDetector(Supplier<LedgerStore> ledger, Map<String, Ledger> latest) {
        this.ledger = ledger;
        this.latest = latest;
    }

    /** Plans the next check unless one is planned. Called when a ledger has been opened. */
    synchronized void schedule() {
        if (!planned && !closed) {
            planned = true;
            LedgerThreads.after(EVERY).execute(this::checkOpen);
        }
    }

    /** Plans no more checks. */
    synchronized void close() {
        closed = true;
    }

    private void checkOpen() {
        synchronized (this) {
            planned = false;
        }
        if (latest.values().stream().anyMatch(Ledger::areOpen)) {
            schedule();
            check();
        }
    }

    /** Checks all open ledgers at once. */
    void check() {
        Map<String, Ledger> due = new HashMap<>();
        Map<String, FencingToken> tokens = new HashMap<>();
        latest.forEach((election, entries) -> {
            if (entries.areOpen() && !entries.areEmpty()) {
                due.put(election, entries);
                tokens.put(election, entries.token());
            }
        });
        if (due.isEmpty()) {
            return;
        }
        Map<String, CompletionStage<LedgerStore.WriteReply>> replies =
                ledger.get().look(tokens);
        due.forEach((election, entries) -> {
            CompletionStage<LedgerStore.WriteReply> reply = replies.get(election);
            if (reply != null) {
                reply.thenAccept(entries::checked);
            }
        });
    }
}
