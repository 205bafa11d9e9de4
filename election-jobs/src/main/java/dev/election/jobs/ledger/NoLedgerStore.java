package dev.election.jobs.ledger;

import dev.election.FencingToken;
import dev.election.store.LedgerStore;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Ledger store that records nothing, so that a leader never knows what other nodes have run. */
public final class NoLedgerStore implements LedgerStore {

    @Override
    public CompletionStage<OpenReply> open(String election, FencingToken token) {
        return CompletableFuture.completedFuture(new Opened(Map.of(), false, ALWAYS, Instant.now()));
    }

    @Override
    public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
        return CompletableFuture.completedFuture(new Written(Instant.now()));
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return CompletableFuture.completedFuture(new Contents(Map.of()));
    }

    @Override
    public LedgerStore beside(String name) {
        return this;
    }
}
