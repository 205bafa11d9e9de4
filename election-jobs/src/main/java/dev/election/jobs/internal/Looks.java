package dev.election.jobs.internal;

import dev.election.FencingToken;
import dev.election.store.LedgerStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Looks once a minute whether the store still has what the leaders of this process have written: between two slots they would not notice.
 * All ledgers share one request, and an empty one needs none.
 */
final class Looks {

    private static final Duration EVERY = Duration.ofMinutes(1);

    private final Supplier<LedgerStore> ledger;
    private final Map<String, LedgerEntries> latest;

    /** Whether the next look is planned. Guarded by this, as is what follows. */
    private boolean planned;

    private boolean closed;

    /**
     * Looks at nothing yet.
     *
     * @param ledger asked for at each look
     * @param latest the entries of the latest leadership of this node, by election
     */
    Looks(Supplier<LedgerStore> ledger, Map<String, LedgerEntries> latest) {
        this.ledger = ledger;
        this.latest = latest;
    }

    /** A ledger has been opened. */
    synchronized void begin() {
        if (!planned && !closed) {
            planned = true;
            LedgerThreads.after(EVERY).execute(this::next);
        }
    }

    /** Looks no more. */
    synchronized void close() {
        closed = true;
    }

    private void next() {
        synchronized (this) {
            planned = false;
        }
        if (latest.values().stream().anyMatch(LedgerEntries::areOpen)) {
            begin();
            look();
        }
    }

    /** Looks at once. */
    void look() {
        Map<String, LedgerEntries> due = new HashMap<>();
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
                reply.thenAccept(entries::looked);
            }
        });
    }
}
