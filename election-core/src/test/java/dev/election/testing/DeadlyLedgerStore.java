package dev.election.testing;

import dev.election.FencingToken;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Ends the process when the third claim has been answered, or when the end of the third run is to be recorded. */
public final class DeadlyLedgerStore implements LedgerStore {

    /** In the one of that number it dies. */
    public static final int TIMES = 3;

    private final LedgerStore ledger;
    private final String entry;
    private final String die;
    private final AtomicInteger times = new AtomicInteger();

    /**
     * @param ledger where to write
     * @param entry what the names of entries contain that are written when a slot is claimed
     * @param die after which step
     */
    public DeadlyLedgerStore(LedgerStore ledger, String entry, String die) {
        this.ledger = ledger;
        this.entry = entry;
        this.die = die;
    }

    @Override
    public CompletionStage<OpenReply> open(String election, FencingToken token) {
        return ledger.open(election, token);
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return ledger.read(election);
    }

    @Override
    public LedgerStore beside(String name) {
        return ledger.beside(name);
    }

    @Override
    public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
        if (die.equals("ended") && change.removed().stream().anyMatch(name -> name.contains("/running/"))) {
            dieAtLast();
        }
        boolean claims = change.put().keySet().stream().anyMatch(name -> name.contains(entry));
        return ledger.write(election, token, change).thenApply(reply -> {
            if (die.equals("claimed") && claims) {
                dieAtLast();
            }
            return reply;
        });
    }

    @Override
    public CompletionStage<WriteReply> restore(
            String election, FencingToken token, Change change, Instant intactSince) {
        return ledger.restore(election, token, change, intactSince);
    }

    @Override
    public CompletionStage<CheckReply> check(String election) {
        return ledger.check(election);
    }

    @Override
    public LeaseStore.Subscription listen(String election, Runnable reconnected) {
        return ledger.listen(election, reconnected);
    }

    private void dieAtLast() {
        if (times.incrementAndGet() == TIMES) {
            Runtime.getRuntime().halt(1);
        }
    }
}
