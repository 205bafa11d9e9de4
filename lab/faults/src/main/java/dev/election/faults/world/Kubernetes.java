package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.harness.ApiServer;
import dev.election.harness.KubernetesServer;
import dev.election.harness.Link;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One API server over an etcd, and a link to it for each node. */
public final class Kubernetes implements Topology, Linked {

    private final KubernetesServer server = new KubernetesServer();
    private final Path mounted;
    private final List<Link> links = new ArrayList<>();

    public Kubernetes(int nodes) {
        mounted = server.mounted(ApiServer.ADMIN);
        for (int place = 0; place < nodes; place++) {
            links.add(new Link(server.address().getPort()));
        }
    }

    /** Whether this machine has the program. */
    public static boolean isPossible() {
        return !System.getProperty(KubernetesServer.PROPERTY, "").isEmpty();
    }

    public KubernetesServer server() {
        return server;
    }

    @Override
    public Link link(int place) {
        return links.get(place);
    }

    @Override
    public StoreAddress addressFor(int place) {
        return StoreAddress.ofKubernetes(links.get(place).port(), mounted);
    }

    @Override
    public void awaitHealth() {
        server.awaitAnswer();
    }
}
