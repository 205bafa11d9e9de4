package dev.election.autoconfigure.internal.actuate;

import dev.election.autoconfigure.internal.actuate.elections.ElectionView;
import dev.election.autoconfigure.internal.actuate.elections.ElectionViews;
import dev.election.autoconfigure.internal.actuate.elections.GroupView;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.partitions.PartitionGroup;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Sources of the overview of a node that are not elections.
 *
 * @param node says who this node is
 * @param memory of this node
 * @param checks those after the start; empty if the application has none
 * @param clock of this node
 */
public record NodeKnowledge(
        Supplier<NodeView> node, NodeMemory memory, Supplier<Optional<ChecksView>> checks, InstantSource clock) {

    NodeOverview overview(boolean isWritable, ElectionViews views, Map<String, ElectionView> elections) {
        return new NodeOverview(
                node.get(),
                new NodeOverview.Present(
                        clock.instant(),
                        isWritable,
                        memory.store(),
                        views.start().orElse(null)),
                elections,
                memory.groups().get().stream()
                        .collect(Collectors.toMap(
                                PartitionGroup::name,
                                group -> GroupView.of(group, memory),
                                (one, same) -> one,
                                TreeMap::new)),
                memory.members().get().map(NodeOverview.NodeMembers::of).orElse(null),
                checks.get().orElse(null));
    }
}
