package dev.election.faults.unguarded;

import dev.election.Election;
import dev.election.faults.node.Node;
import dev.election.faults.node.NodeSettings;
import dev.election.faults.node.Participant;
import dev.election.internal.election.CountsFromReply;
import dev.election.redis.RedisLeaseStore;

/** A node without the guard that a lease counts from the request. */
final class CountsFromReplyNode {

    private CountsFromReplyNode() {}

    public static void main(String[] arguments) throws Exception {
        NodeSettings settings = NodeSettings.of(arguments);
        RedisLeaseStore store = RedisLeaseStore.open(settings.store().access(), Node.KEY_PREFIX, settings.lease());
        CountsFromReply unguarded = new CountsFromReply(Node.ELECTION, store, settings.identity(), settings.timing());
        new Node(settings, new Participant() {
                    @Override
                    public Election election(String name) {
                        return unguarded.election();
                    }

                    @Override
                    public void start() {
                        unguarded.start();
                    }

                    @Override
                    public void leave() {
                        unguarded.stop().toCompletableFuture().join();
                        store.close();
                    }
                })
                .run();
    }
}
