package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.harness.Children;
import dev.election.harness.Link;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One server that keeps its data on disk, and a link to it for each node. */
public final class Standalone implements Topology, Linked {

    private final RedisProcess server;
    private boolean carriesMessages = true;
    private final List<Link> links = new ArrayList<>();

    public Standalone(Children children, Path folder, int nodes) {
        this(children, folder, nodes, List.of("--appendonly", "yes"));
    }

    private Standalone(Children children, Path folder, int nodes, List<String> more) {
        List<String> options = new ArrayList<>(List.of("--enable-debug-command", "yes", "--loglevel", "warning"));
        options.addAll(more);
        server = new RedisProcess(RedisSettings.in(folder, children, options));
        for (int place = 0; place < nodes; place++) {
            links.add(new Link(server.port()));
        }
    }

    /** One that keeps nothing but the snapshots that it is told to take. */
    public static Standalone withSnapshots(Children children, Path folder, int nodes) {
        return new Standalone(children, folder, nodes, List.of());
    }

    /** One that lets nobody publish or subscribe, as where the ACL of the elections leaves the channels out. */
    public static Standalone withoutChannels(Children children, Path folder, int nodes) throws IOException {
        Standalone standalone = new Standalone(children, folder, nodes);
        standalone.carriesMessages = false;
        standalone.server.ask("ACL", "SETUSER", "default", "resetchannels", "-subscribe", "-publish");
        return standalone;
    }

    @Override
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
    public void awaitHealth() {
        Wait.until(
                "the server", Duration.ofSeconds(20), () -> server.text("PING").equals("PONG"));
    }

    /** The only server. */
    public RedisProcess primary() {
        return server;
    }
}
