package dev.election.quartz.autoconfigure;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Checks whether the leaders of Quartz jobs can write to the log of fired slots. If not, their jobs may never run. */
public final class QuartzLedgerCheck implements Check {

    private final Supplier<Set<String>> elections;
    private final Supplier<LedgerStore> ledger;

    /**
     * @param elections the elections of Quartz jobs
     * @param ledger the log of fired slots; called if there are such elections
     */
    QuartzLedgerCheck(Supplier<Set<String>> elections, Supplier<LedgerStore> ledger) {
        this.elections = elections;
        this.ledger = ledger;
    }

    @Override
    public boolean asksStore() {
        return true;
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        CompletionStage<List<Finding>> findings = CompletableFuture.completedFuture(new ArrayList<>());
        for (String election : elections.get()) {
            findings = findings.thenCombine(look(election), (all, more) -> {
                all.addAll(more);
                return all;
            });
        }
        return findings;
    }

    private CompletionStage<List<Finding>> look(String election) {
        return ledger.get()
                .check(election)
                .thenApply(reply -> reply instanceof NoAnswer failure ? judge(election, failure) : List.of());
    }

    private static List<Finding> judge(String election, NoAnswer failure) {
        return switch (failure.problem()) {
            case UNREACHABLE, TIMED_OUT, LOADING, CLUSTER_DOWN -> throw new IllegalStateException(failure.toString());
            default ->
                List.of(new Finding(
                        "Quartz jobs of the election '" + election
                                + "' will not run, or run twice: the ledger of fired slots can't be used ("
                                + failure.problem() + ", "
                                + failure.detail() + ")",
                        "Action: " + failure.action()));
        };
    }
}
