package dev.election.autoconfigure.internal.actuate;

import dev.election.Election;
import dev.election.Elections;
import dev.election.partitions.PartitionGroup;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Shows this node and its role in each election and group of partitions, below {@code leader}. */
public final class LeaderInfoContributor implements InfoContributor {

    private final Elections elections;
    private final NodeKnowledge known;

    /**
     * Creates the contributor.
     *
     * @param elections the elections of this node
     * @param known what this node knows beside them
     */
    public LeaderInfoContributor(Elections elections, NodeKnowledge known) {
        this.elections = elections;
        this.known = known;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> parts = new LinkedHashMap<>();
        for (Election election : known.memory().single(elections)) {
            Map<String, Object> part = new LinkedHashMap<>();
            part.put("role", election.role());
            election.leader().ifPresent(leader -> part.put("leader", leader.node()));
            parts.put(election.name(), part);
        }
        for (PartitionGroup group : known.memory().groups().get()) {
            parts.put(
                    group.name(),
                    Map.of("partitions", group.count(), "leads", group.held().size()));
        }
        builder.withDetail("leader", Map.of("node", known.node().get(), "elections", parts));
    }
}
