package dev.election.autoconfigure.internal.checks;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.partitions.PartitionGroup;
import dev.election.partitions.Partitions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Checks whether the store has the counts of partitions of this process, which leads nothing in a group with another one. */
public final class PartitionCountsCheck implements Check {

    private final Partitions partitions;

    /** Creates the check of all groups. */
    public PartitionCountsCheck(Partitions partitions) {
        this.partitions = partitions;
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        if (partitions.all().stream().anyMatch(PartitionCountsCheck::isOpen)) {
            return CompletableFuture.failedFuture(new IllegalStateException("the count is not known yet"));
        }
        return CompletableFuture.completedFuture(partitions.all().stream()
                .flatMap(group -> finding(group).stream())
                .toList());
    }

    private static boolean isOpen(PartitionGroup group) {
        return group.otherCount().isEmpty() && group.owner(0).isEmpty();
    }

    /** The problem of a group whose count is another one in the store; empty if there is none, or the store has not answered yet. */
    public static Optional<Finding> finding(PartitionGroup group) {
        String property = "election.partitions." + group.name() + ".count";
        return group.otherCount()
                .map(count -> new Finding(
                        "This node leads no partition of '" + group.name() + "': " + property + " is " + group.count()
                                + ", and the store has " + count,
                        "Set " + property + " to " + count + ", or give the group with another count another name"));
    }
}
