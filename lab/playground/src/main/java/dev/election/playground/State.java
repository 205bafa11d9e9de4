package dev.election.playground;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The state that the page shows.
 *
 * @param store the answer of {@code /actuator/leader/default} of a replica that reaches Redis, if one does
 * @param events what was done, and what became of it
 * @param jobs what jobs have logged
 */
record State(
        List<ReplicaState> replicas,
        RedisState redis,
        @Nullable JsonNode store,
        List<Journal.Entry> events,
        List<Journal.Entry> jobs,
        Journal.Slots slots) {}
