package dev.election.autoconfigure.internal.actuate.elections;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.Election;
import dev.election.Leader;
import dev.election.autoconfigure.checks.Finding;
import dev.election.autoconfigure.internal.checks.PartitionCountsCheck;
import dev.election.autoconfigure.internal.watch.Impediment;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.partitions.PartitionGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A group of partitions, as the endpoint shows it from the memory of this node.
 *
 * @param count the number of partitions, as this node was configured
 * @param leaders the partitions that each node leads, by its id
 * @param withoutLeader the partitions that a node should lead and of which this one knows no leader
 * @param finding why this node leads none of them, {@code null} and not shown if it may
 * @param incident that of the first partition about which the store gives no usable reply, {@code null} and not shown if there is none
 * @param impediments those of the first partition of this leader whose work fails, not shown if there is none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record GroupView(
        int count,
        Map<String, List<Integer>> leaders,
        List<Integer> withoutLeader,
        @Nullable Finding finding,
        @Nullable IncidentView incident,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Impediment> impediments)
        implements OperationResponseBody {

    public static GroupView of(PartitionGroup group, NodeMemory memory) {
        Map<String, List<Integer>> leaders = new TreeMap<>();
        IncidentView incident = null;
        List<Impediment> impediments = List.of();
        for (int index = 0; index < group.count(); index++) {
            int led = index;
            group.owner(index).map(Leader::node).ifPresent(node -> leaders.computeIfAbsent(
                            node, first -> new ArrayList<>())
                    .add(led));
            Election partition = group.election(index);
            incident = incident != null
                    ? incident
                    : IncidentView.of(memory.watch().of(partition.name()).incident());
            impediments = impediments.isEmpty() ? memory.impeding(partition) : impediments;
        }
        return new GroupView(
                group.count(),
                leaders,
                group.withoutLeader(),
                PartitionCountsCheck.finding(group).orElse(null),
                incident,
                impediments);
    }
}
