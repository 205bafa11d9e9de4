package dev.election.internal.members;

import dev.election.members.Drain;
import java.util.Map;
import java.util.Set;

/**
 * The orders to drain nodes in the latest complete reply of the store.
 *
 * @param roster the list of members that has the orders
 * @param byNode the orders by node id
 * @param expired the nodes whose order has expired since the previous reply without being revoked
 */
public record Drains(String roster, Map<String, Drain> byNode, Set<String> expired) {

    public static final Drains NONE = new Drains("", Map.of(), Set.of());

    public Drains {
        byNode = Map.copyOf(byNode);
        expired = Set.copyOf(expired);
    }
}
