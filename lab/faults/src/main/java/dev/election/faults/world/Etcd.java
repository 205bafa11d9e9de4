package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.harness.EtcdServer;
import dev.election.harness.Link;
import java.util.ArrayList;
import java.util.List;

/** An etcd of one member, and a link to it for each node. */
public final class Etcd implements Topology, Linked {

    private final EtcdServer server = new EtcdServer();
    private final List<Link> links = new ArrayList<>();

    public Etcd(int nodes) {
        for (int place = 0; place < nodes; place++) {
            links.add(new Link(server.address().getPort()));
        }
    }

    public EtcdServer server() {
        return server;
    }

    @Override
    public Link link(int place) {
        return links.get(place);
    }

    @Override
    public StoreAddress addressFor(int place) {
        return new StoreAddress(StoreAddress.Kind.ETCD, List.of(links.get(place).port()));
    }

    /** A fault waits for the server by itself. */
    @Override
    public void awaitHealth() {}
}
