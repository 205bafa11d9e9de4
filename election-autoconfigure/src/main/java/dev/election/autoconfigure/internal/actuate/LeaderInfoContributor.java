package dev.election.autoconfigure.internal.actuate;

import dev.election.Election;
import dev.election.Elections;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.partitions.PartitionGroup;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Shows this node and its role in each election and group of partitions, below {@code leader}. */
public final class LeaderInfoContributor implements InfoContributor {

    private final Supplier<NodeView> node;
    private final Elections elections;
    private final NodeMemory memory;

    /**
     * Creates the contributor.
     *
     * @param node says who this node is
     * @param elections the elections of this node
     * @param memory knows the groups of partitions
     */
    public LeaderInfoContributor(Supplier<NodeView> node, Elections elections, NodeMemory memory) {
        this.node = node;
        this.elections = elections;
        this.memory = memory;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> parts = new LinkedHashMap<>();
        for (Election election : memory.single(elections)) {
            Map<String, Object> part = new LinkedHashMap<>();
            part.put("role", election.role());
            election.leader().ifPresent(leader -> part.put("leader", leader.node()));
            parts.put(election.name(), part);
        }
        for (PartitionGroup group : memory.groups().get()) {
            parts.put(
                    group.name(),
                    Map.of("partitions", group.count(), "leads", group.held().size()));
        }
        builder.withDetail("leader", Map.of("node", node.get(), "elections", parts));
    }
}
