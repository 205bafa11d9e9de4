package dev.election.internal.engine;

import dev.election.members.Drain;
import java.util.Map;
import java.util.Set;

/**
 * The orders to drain nodes, as the latest complete reply of the store said.
 *
 * @param roster the list of members that they are part of
 * @param byNode by node id
 * @param expired the nodes whose order has expired since the reply before, and was not revoked
 */
record Drains(String roster, Map<String, Drain> byNode, Set<String> expired) {

    static final Drains NONE = new Drains("", Map.of(), Set.of());

    Drains {
        byNode = Map.copyOf(byNode);
        expired = Set.copyOf(expired);
    }
}
