package dev.election.autoconfigure.internal.actuate;

import dev.election.Election;
import dev.election.Elections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Shows this node and its role in each election, below {@code leader}. */
public final class LeaderInfoContributor implements InfoContributor {

    private final Supplier<NodeView> node;
    private final Elections elections;

    /**
     * Creates the contributor.
     *
     * @param node says who this node is
     * @param elections the elections of this node
     */
    public LeaderInfoContributor(Supplier<NodeView> node, Elections elections) {
        this.node = node;
        this.elections = elections;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> parts = new LinkedHashMap<>();
        for (Election election : elections.all()) {
            Map<String, Object> part = new LinkedHashMap<>();
            part.put("role", election.role());
            election.leader().ifPresent(leader -> part.put("leader", leader.node()));
            parts.put(election.name(), part);
        }
        builder.withDetail("leader", Map.of("node", node.get(), "elections", parts));
    }
}
