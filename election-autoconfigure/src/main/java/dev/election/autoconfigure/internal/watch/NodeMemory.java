package dev.election.autoconfigure.internal.watch;

import dev.election.Election;
import dev.election.Elections;
import dev.election.members.Members;
import dev.election.partitions.PartitionGroup;
import dev.election.spring.lifecycle.PendingStart;
import dev.election.support.PartitionName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The knowledge of this node about its elections, besides what they say themselves. None of it asks the store.
 *
 * @param watch the status of the elections
 * @param impediments report failures of leader work
 * @param start why this node takes part in no election yet, empty if it does
 * @param members if this process uses them
 * @param groups the groups of partitions in which this process takes part
 * @param store where the elections are kept
 */
public record NodeMemory(
        ElectionWatch watch,
        List<Impediments> impediments,
        Supplier<Optional<PendingStart>> start,
        Supplier<Optional<Members>> members,
        Supplier<Collection<PartitionGroup>> groups,
        String store) {

    /** The present failures of leader work in an election, none if this node does not lead it. */
    public List<Impediment> impeding(Election election) {
        return election.isLeader()
                ? impediments.stream()
                        .flatMap(each -> each.of(election.name()).stream())
                        .toList()
                : List.of();
    }

    /** The elections that are no partitions. */
    public List<Election> single(Elections elections) {
        List<String> names = groups.get().stream().map(PartitionGroup::name).toList();
        return elections.all().stream()
                .filter(election -> !names.contains(PartitionName.groupOf(election.name())))
                .toList();
    }
}
