package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.harness.Children;
import dev.election.harness.GroupLinks;
import dev.election.harness.Link;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.SentinelGroup;
import dev.election.redis.AcknowledgingReplicas;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A primary, a replica, and three Sentinels that watch over them; and what nodes know of them. */
public final class Sentinels implements Topology {

    private static final Duration LONGEST_FAILOVER = Duration.ofSeconds(45);

    private static final Duration DOWN_AFTER = Duration.ofMillis(500);

    /** Longer than a lease, so that the replica's copy of a lease has ended when it is promoted. */
    private static final Duration DOWN_AFTER_A_LEASE = Duration.ofSeconds(6);

    private static final List<String> OPTIONS =
            List.of("--repl-diskless-sync-delay", "0", "--enable-debug-command", "yes");

    private final SentinelGroup group;
    private final AcknowledgingReplicas replicas;

    /** To each Sentinel, for each node; empty if the nodes ask the Sentinels without a link between. */
    private final List<List<Link>> waysOfNodes = new ArrayList<>();

    /** Clocks of the servers that do not go by that of the machine, by port. */
    private final Map<Integer, OwnClock> clocks = new HashMap<>();

    private Sentinels(SentinelGroup group, AcknowledgingReplicas replicas) {
        this.group = group;
        this.replicas = replicas;
    }

    public static Sentinels start(Children children, Path folder) {
        return new Sentinels(
                SentinelGroup.start(
                        () -> RedisSettings.in(folder, children, OPTIONS),
                        () -> RedisSettings.in(folder, children, List.of()),
                        DOWN_AFTER),
                AcknowledgingReplicas.NONE);
    }

    /**
     * The members know each other by links, so that some can be cut off from the others and not from the nodes; and each node has links of
     * its own to the Sentinels.
     */
    public static Sentinels withLinks(Children children, Path folder, int nodes) {
        return withLinks(children, folder, nodes, AcknowledgingReplicas.NONE);
    }

    /** Links the members as {@link #withLinks} does; a lease counts only with the acknowledgement of the replica. */
    public static Sentinels withAcknowledgements(Children children, Path folder, int nodes) {
        return withLinks(children, folder, nodes, AcknowledgingReplicas.ALL);
    }

    private static Sentinels withLinks(Children children, Path folder, int nodes, AcknowledgingReplicas replicas) {
        SentinelGroup group = SentinelGroup.startLinked(
                () -> RedisSettings.in(folder, children, OPTIONS),
                () -> RedisSettings.in(folder, children, List.of()),
                DOWN_AFTER_A_LEASE);
        Sentinels sentinels = new Sentinels(group, replicas);
        for (int node = 0; node < nodes; node++) {
            sentinels.waysOfNodes.add(group.sentinels().stream()
                    .map(sentinel -> new Link(sentinel.port()))
                    .toList());
        }
        return sentinels;
    }

    /** Each server has a time of day of its own. */
    public static Sentinels withOwnClocks(Children children, Path folder) {
        Map<Integer, OwnClock> clocks = new HashMap<>();
        SentinelGroup group = SentinelGroup.start(
                () -> {
                    RedisSettings settings = RedisSettings.in(folder, children, OPTIONS);
                    OwnClock clock = new OwnClock(settings.folder());
                    clocks.put(settings.port(), clock);
                    return settings.by(OwnClock.redis(), clock.environment());
                },
                () -> RedisSettings.in(folder, children, List.of()),
                DOWN_AFTER);
        Sentinels sentinels = new Sentinels(group, AcknowledgingReplicas.NONE);
        sentinels.clocks.putAll(clocks);
        return sentinels;
    }

    @Override
    public StoreAddress addressFor(int place) {
        return new StoreAddress(
                StoreAddress.Kind.SENTINELS,
                waysOfNodes.isEmpty()
                        ? group.sentinels().stream().map(RedisProcess::port).toList()
                        : waysOfNodes.get(place).stream().map(Link::port).toList(),
                replicas);
    }

    /** The links to the Sentinels of the node in that place. */
    public List<Link> waysOf(int place) {
        return waysOfNodes.get(place);
    }

    /** The links of all nodes to the Sentinel that they ask first. */
    public List<Link> waysToFirst() {
        return waysOfNodes.stream().map(ways -> ways.get(0)).toList();
    }

    /** The primary according to the first Sentinel. */
    public RedisProcess primary() throws IOException {
        return group.primary();
    }

    public RedisProcess other(RedisProcess server) {
        return group.other(server);
    }

    public SentinelGroup group() {
        return group;
    }

    /** The links of the servers and the Sentinels to each other. */
    public GroupLinks links() {
        return group.links();
    }

    /** The clock of a server that has its own. */
    public OwnClock clockOf(RedisProcess server) {
        OwnClock clock = clocks.get(server.port());
        if (clock == null) {
            throw new IllegalStateException("This server has the clock of the machine");
        }
        return clock;
    }

    /**
     * Waits until all Sentinels name that server and it agrees, but not for ever: Sentinels that did not run for two seconds take
     * half a minute to trust themselves again, and by then hold every replica to be too old to be promoted.
     *
     * @return whether it came to that; if not, only the old primary can be the next
     */
    public boolean agreeOn(RedisProcess server) {
        return group.agreeOn(server, LONGEST_FAILOVER);
    }

    /** Waits as {@link #agreeOn} does, without asking the first Sentinel. */
    public boolean othersAgreeOn(RedisProcess server) {
        return group.othersAgreeOn(server, LONGEST_FAILOVER);
    }

    @Override
    public void awaitHealth() {
        group.awaitHealth();
    }
}
