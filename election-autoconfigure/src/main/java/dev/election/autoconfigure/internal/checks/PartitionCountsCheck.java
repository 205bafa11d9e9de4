package dev.election.autoconfigure.internal.checks;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.members.Members;
import dev.election.partitions.PartitionGroup;
import dev.election.partitions.Partitions;
import dev.election.support.PartitionName;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Checks whether the store has the counts of partitions of this process, which leads nothing in a group with another one. */
public final class PartitionCountsCheck implements Check {

    private final Partitions partitions;
    private final Supplier<Optional<Members>> members;

    /**
     * Creates the check of all groups.
     *
     * @param members to which this process says which counts it has read in the store
     */
    public PartitionCountsCheck(Partitions partitions, Supplier<Optional<Members>> members) {
        this.partitions = partitions;
        this.members = members;
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        if (partitions.all().stream().anyMatch(this::isOpen)) {
            return CompletableFuture.failedFuture(new IllegalStateException("the count is not known yet"));
        }
        return CompletableFuture.completedFuture(found());
    }

    private List<Finding> found() {
        return partitions.all().stream()
                .flatMap(group -> finding(group).stream())
                .toList();
    }

    @Override
    public boolean holds(Finding finding) {
        return found().contains(finding);
    }

    /** Whether the group has neither agreed nor differs. Also a process with another count may lead a partition before its recovery ends. */
    private boolean isOpen(PartitionGroup group) {
        String agreed = Integer.toString(group.count());
        return group.otherCount().isEmpty()
                && members.get()
                        .map(known -> known.own().capabilities().get(PartitionName.CAPABILITY + group.name()))
                        .filter(agreed::equals)
                        .isEmpty();
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
