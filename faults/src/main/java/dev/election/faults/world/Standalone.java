package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One server that keeps its data on disk, and a link to it for each node. */
public final class Standalone implements Topology {

    private final RedisServer server;
    private final List<Link> links = new ArrayList<>();

    public Standalone(Children children, Path folder, int nodes) throws IOException, InterruptedException {
        this(children, folder, nodes, "yes");
    }

    private Standalone(Children children, Path folder, int nodes, String appendOnly)
            throws IOException, InterruptedException {
        server = new RedisServer(
                children,
                folder,
                List.of(
                        "--save",
                        "",
                        "--appendonly",
                        appendOnly,
                        "--enable-debug-command",
                        "yes",
                        "--loglevel",
                        "warning"));
        for (int place = 0; place < nodes; place++) {
            links.add(new Link(server.port()));
        }
    }

    /** One that keeps nothing but the snapshots that it is told to take. */
    public static Standalone withSnapshots(Children children, Path folder, int nodes)
            throws IOException, InterruptedException {
        return new Standalone(children, folder, nodes, "no");
    }

    public Link link(int place) {
        return links.get(place);
    }

    @Override
    public StoreAddress addressFor(int place) {
        return new StoreAddress(
                StoreAddress.Kind.SERVER, List.of(links.get(place).port()));
    }

    @Override
    public void awaitHealth() throws InterruptedException {
        Wait.until(
                "the server", Duration.ofSeconds(20), () -> server.text("PING").equals("PONG"));
    }

    @Override
    public RedisServer primary() {
        return server;
    }
}
