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
    private boolean carriesMessages = true;
    private final List<Link> links = new ArrayList<>();

    public Standalone(Children children, Path folder, int nodes) throws IOException, InterruptedException {
        this(children, folder, nodes, List.of("--appendonly", "yes"));
    }

    private Standalone(Children children, Path folder, int nodes, List<String> more)
            throws IOException, InterruptedException {
        List<String> options =
                new ArrayList<>(List.of("--save", "", "--enable-debug-command", "yes", "--loglevel", "warning"));
        options.addAll(more);
        server = new RedisServer(children, folder, options);
        for (int place = 0; place < nodes; place++) {
            links.add(new Link(server.port()));
        }
    }

    /** One that keeps nothing but the snapshots that it is told to take. */
    public static Standalone withSnapshots(Children children, Path folder, int nodes)
            throws IOException, InterruptedException {
        return new Standalone(children, folder, nodes, List.of("--appendonly", "no"));
    }

    /** One that lets nobody publish or subscribe, as where the ACL of the elections leaves the channels out. */
    public static Standalone withoutChannels(Children children, Path folder, int nodes)
            throws IOException, InterruptedException {
        Standalone standalone = new Standalone(children, folder, nodes);
        standalone.carriesMessages = false;
        standalone.server.ask("ACL", "SETUSER", "default", "resetchannels", "-subscribe", "-publish");
        return standalone;
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
    public boolean carriesMessages() {
        return carriesMessages;
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
