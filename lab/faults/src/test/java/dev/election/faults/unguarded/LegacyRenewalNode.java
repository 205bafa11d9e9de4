package dev.election.faults.unguarded;

import dev.election.faults.node.EngineParticipant;
import dev.election.faults.node.Node;
import dev.election.faults.node.NodeSettings;
import dev.election.redis.LegacyRenewal;

/** A node without the guard that only the holder extends a lease. */
final class LegacyRenewalNode {

    private LegacyRenewalNode() {}

    public static void main(String[] arguments) throws Exception {
        NodeSettings settings = NodeSettings.of(arguments);
        new Node(
                        settings,
                        EngineParticipant.over(
                                LegacyRenewal.open(settings.store().access(), Node.KEY_PREFIX, settings.lease()),
                                settings))
                .run();
    }
}
