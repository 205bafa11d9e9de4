package dev.election.autoconfigure;

import dev.election.doctor.Check;
import dev.election.doctor.Finding;
import dev.election.store.Logbook;
import dev.election.store.NoAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Checks whether the leaders of Quartz jobs can write to the log of fired slots. If not, their jobs may never run. */
final class QuartzLogCheck implements Check {

    private final Supplier<Set<String>> elections;
    private final Supplier<Logbook> book;

    /**
     * @param elections the elections of Quartz jobs
     * @param book the log of fired slots; called if there are such elections
     */
    QuartzLogCheck(Supplier<Set<String>> elections, Supplier<Logbook> book) {
        this.elections = elections;
        this.book = book;
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
        return book.get()
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
