package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.harness.Children;
import dev.election.harness.EtcdServer;
import dev.election.harness.Link;
import dev.election.harness.RestorableServer;
import dev.election.harness.ZooKeeperServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An etcd or a ZooKeeper of one member, and a link to it for each node. */
public final class OneMember implements Topology, Linked {

    /** Filled within a second or two, and more than what the nodes write until then. */
    private static final int QUOTA = 32_000_000;

    private final StoreAddress.Kind kind;
    private final RestorableServer server;
    private final List<Link> links = new ArrayList<>();

    private OneMember(StoreAddress.Kind kind, RestorableServer server, int port, int nodes) {
        this.kind = kind;
        this.server = server;
        for (int place = 0; place < nodes; place++) {
            links.add(new Link(port));
        }
    }

    public static OneMember ofEtcd(int nodes) {
        EtcdServer server = new EtcdServer("--quota-backend-bytes=" + QUOTA);
        return new OneMember(StoreAddress.Kind.ETCD, server, server.address().getPort(), nodes);
    }

    public static OneMember ofZooKeeper(Children children, Path home, int nodes) {
        ZooKeeperServer server = new ZooKeeperServer(children, home.resolve("zookeeper"));
        server.start();
        return new OneMember(StoreAddress.Kind.ZOOKEEPER, server, server.port(), nodes);
    }

    public RestorableServer server() {
        return server;
    }

    @Override
    public Link link(int place) {
        return links.get(place);
    }

    @Override
    public StoreAddress addressFor(int place) {
        return new StoreAddress(kind, List.of(links.get(place).port()));
    }

    /** A fault waits for the server by itself. */
    @Override
    public void awaitHealth() {}
}
