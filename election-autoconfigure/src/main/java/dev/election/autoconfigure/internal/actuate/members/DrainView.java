package dev.election.autoconfigure.internal.actuate.members;

import dev.election.members.Drain;
import dev.election.members.Members;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * The order that a node leads nothing, as the endpoint shows it.
 *
 * @param requestedBy who gave it, and why
 * @param since when
 */
public record DrainView(String requestedBy, Instant since) {

    public static DrainView of(Drain drain) {
        return new DrainView(drain.requestedBy(), drain.since());
    }

    /** All open orders, by node id. */
    public static Map<String, DrainView> all(Members members) {
        Map<String, DrainView> all = new TreeMap<>();
        members.drains().forEach(drain -> all.put(drain.node(), of(drain)));
        return all;
    }
}
