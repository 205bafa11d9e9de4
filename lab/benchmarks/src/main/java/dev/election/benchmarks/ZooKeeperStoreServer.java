package dev.election.benchmarks;

import dev.election.harness.Children;
import dev.election.harness.TemporaryFolders;
import dev.election.harness.ZooKeeperServer;
import java.util.Map;
import java.util.OptionalLong;

/** A ZooKeeper with the tick of its documentation, of which the packets of clients are counted: pings, too. */
final class ZooKeeperStoreServer implements StoreServer {

    private final ZooKeeperServer server =
            new ZooKeeperServer(Children.OF_THIS_JVM, TemporaryFolders.create("zookeeper"), "tickTime=2000");

    ZooKeeperStoreServer() {
        server.start();
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public String access() {
        return "-";
    }

    @Override
    public Map<String, Long> requests() {
        return Map.of("packets", server.received());
    }

    /** Neither a record nor a session tells its end. */
    @Override
    public OptionalLong endOfLease() {
        return OptionalLong.empty();
    }

    @Override
    public void close() {
        server.close();
    }
}
