package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.redis.AcknowledgingReplicas;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A primary, a replica, and three Sentinels that watch over them. */
public final class Sentinels implements Topology {

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Duration LONGEST_FAILOVER = Duration.ofSeconds(45);

    private static final Duration DOWN_AFTER = Duration.ofMillis(500);

    /** Longer than a lease, so that the replica's copy of a lease has ended when it is promoted. */
    private static final Duration DOWN_AFTER_A_LEASE = Duration.ofSeconds(6);

    private static final int COUNT = 3;

    /** From where the servers connect, and from where each Sentinel does, so that a link can tell them from each other and from nodes. */
    private static final String SERVERS_ADDRESS = "127.0.0.2";

    private static final List<String> ADDRESSES = List.of("127.0.0.3", "127.0.0.4", "127.0.0.5");

    private static final List<String> OPTIONS =
            List.of("--save", "", "--repl-diskless-sync-delay", "0", "--enable-debug-command", "yes");

    private final List<Place> servers;
    private final AcknowledgingReplicas replicas;
    private final List<RedisServer> sentinels = new ArrayList<>();

    /** By which the Sentinels know each other; empty if they do so without a link between. */
    private final List<Link> waysOfSentinels = new ArrayList<>();

    /** To each Sentinel, for each node; empty if the nodes ask the Sentinels without a link between. */
    private final List<List<Link>> waysOfNodes = new ArrayList<>();

    public Sentinels(Children children, Path folder) throws IOException, InterruptedException {
        this(
                children,
                folder,
                List.of(
                        new Place(new RedisServer(children, folder, OPTIONS), null),
                        new Place(new RedisServer(children, folder, OPTIONS), null)),
                DOWN_AFTER,
                false,
                AcknowledgingReplicas.NONE);
    }

    private Sentinels(
            Children children,
            Path folder,
            List<Place> servers,
            Duration downAfter,
            boolean linked,
            AcknowledgingReplicas replicas)
            throws IOException, InterruptedException {
        this.servers = List.copyOf(servers);
        this.replicas = replicas;
        follow(servers.get(1).server(), servers.get(0).server());
        // A Sentinel looks for replicas when it starts, and then only every ten seconds.
        Wait.until("the replica", PATIENCE, () -> hasReplica(servers.get(0).server()));
        for (int i = 0; i < COUNT; i++) {
            int port = Ports.free();
            if (linked) {
                waysOfSentinels.add(new Link(port));
            }
            sentinels.add(RedisServer.sentinel(
                    children,
                    folder,
                    port,
                    linked ? waysOfSentinels.get(i).port() : port,
                    servers.get(0).port(),
                    downAfter,
                    linked ? List.of("--bind-source-addr", ADDRESSES.get(i)) : List.of()));
        }
        awaitHealth();
    }

    /**
     * Everybody knows the servers by the ports of links, and the Sentinels know each other so, so that some can be cut off from the
     * others and not from the nodes; and each node has links of its own to the Sentinels.
     */
    public static Sentinels withLinks(Children children, Path folder, int nodes)
            throws IOException, InterruptedException {
        return withLinks(children, folder, nodes, AcknowledgingReplicas.NONE);
    }

    /** The same, and a lease counts only with the acknowledgement of the replica. */
    public static Sentinels withAcknowledgements(Children children, Path folder, int nodes)
            throws IOException, InterruptedException {
        return withLinks(children, folder, nodes, AcknowledgingReplicas.ALL);
    }

    private static Sentinels withLinks(Children children, Path folder, int nodes, AcknowledgingReplicas replicas)
            throws IOException, InterruptedException {
        List<String> options = new ArrayList<>(OPTIONS);
        options.addAll(List.of("--bind-source-addr", SERVERS_ADDRESS));
        Sentinels sentinels = new Sentinels(
                children,
                folder,
                List.of(
                        Place.behindALink(new RedisServer(children, folder, options)),
                        Place.behindALink(new RedisServer(children, folder, options))),
                DOWN_AFTER_A_LEASE,
                true,
                replicas);
        for (int node = 0; node < nodes; node++) {
            List<Link> ways = new ArrayList<>();
            for (RedisServer sentinel : sentinels.sentinels) {
                ways.add(new Link(sentinel.port()));
            }
            sentinels.waysOfNodes.add(ways);
        }
        return sentinels;
    }

    /** Each server has a time of day of its own. */
    public static Sentinels withOwnClocks(Children children, Path folder) throws IOException, InterruptedException {
        return new Sentinels(
                children,
                folder,
                List.of(
                        new Place(RedisServer.withOwnClock(children, folder, OPTIONS), null),
                        new Place(RedisServer.withOwnClock(children, folder, OPTIONS), null)),
                DOWN_AFTER,
                false,
                AcknowledgingReplicas.NONE);
    }

    @Override
    public StoreAddress addressFor(int place) {
        return new StoreAddress(
                StoreAddress.Kind.SENTINELS,
                waysOfNodes.isEmpty()
                        ? sentinels.stream().map(RedisServer::port).toList()
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

    /** By the word of the first Sentinel. */
    @Override
    public RedisServer primary() throws IOException {
        return servers.get(primaryPort(sentinels.get(0)) == servers.get(0).port() ? 0 : 1)
                .server();
    }

    public RedisServer other(RedisServer server) {
        return servers.get(0).server() == server
                ? servers.get(1).server()
                : servers.get(0).server();
    }

    public void failOver() throws InterruptedException {
        // Refused for a while after the last one.
        Wait.until("a failover", PATIENCE, () -> sentinels
                .get(0)
                .text("SENTINEL", "FAILOVER", StoreAddress.PRIMARY)
                .equals("OK"));
    }

    /** Neither its replica nor the Sentinels reach that server any more; the nodes do. */
    public void isolate(RedisServer server) {
        Link way = placeOf(server).link();
        ADDRESSES.forEach(sentinel -> way.becomeFor(sentinel, Conditions.CUT));
        silenceReplica(server);
    }

    /** The first Sentinel stays with that server, and both lose the others; the nodes reach everybody. */
    public void isolateWithFirstSentinel(RedisServer server) {
        isolate(server);
        placeOf(server).link().becomeFor(ADDRESSES.get(0), Conditions.FINE);
        placeOf(other(server)).link().becomeFor(ADDRESSES.get(0), Conditions.CUT);
        for (int i = 1; i < COUNT; i++) {
            waysOfSentinels.get(0).becomeFor(ADDRESSES.get(i), Conditions.CUT);
            waysOfSentinels.get(i).becomeFor(ADDRESSES.get(0), Conditions.CUT);
        }
    }

    /** Nothing passes between that server and its replica any more, and neither sees an end. */
    public void silenceReplica(RedisServer server) {
        placeOf(server).link().becomeFor(SERVERS_ADDRESS, Conditions.CUT);
    }

    /** Everybody reaches everybody again. */
    public void rejoin() {
        Stream<Link> ways = Stream.concat(servers.stream().map(Place::link), waysOfSentinels.stream());
        ways.forEach(way -> Stream.concat(Stream.of(SERVERS_ADDRESS), ADDRESSES.stream())
                .forEach(address -> way.becomeFor(address, Conditions.FINE)));
    }

    /**
     * Waits until all Sentinels name that server and it agrees, but not for ever: Sentinels that did not run for two seconds take
     * half a minute to trust themselves again, and by then hold every replica to be too old to be promoted.
     *
     * @return whether it came to that; if not, only the old primary can be the next
     */
    public boolean agreeOn(RedisServer server) throws InterruptedException {
        return Wait.holdsWithin(LONGEST_FAILOVER, () -> isPrimary(server, sentinels));
    }

    /** The same, but the first Sentinel is not asked. */
    public boolean othersAgreeOn(RedisServer server) throws InterruptedException {
        return Wait.holdsWithin(LONGEST_FAILOVER, () -> isPrimary(server, sentinels.subList(1, COUNT)));
    }

    /** Makes the one follow the other, as an operator does. */
    public void follow(RedisServer replica, RedisServer primary) throws IOException {
        replica.ask("REPLICAOF", "127.0.0.1", Integer.toString(placeOf(primary).port()));
    }

    @Override
    public void awaitHealth() throws InterruptedException {
        Wait.until("one primary, one replica and Sentinels that know them", PATIENCE, () -> {
            RedisServer primary = primary();
            return isPrimary(primary, sentinels)
                    && hasReplica(primary)
                    && sentinels.stream().allMatch(sentinel -> knowsAll(sentinel));
        });
    }

    private Place placeOf(RedisServer server) {
        return servers.stream()
                .filter(place -> place.server() == server)
                .findFirst()
                .orElseThrow();
    }

    private boolean isPrimary(RedisServer server, List<RedisServer> asked) throws IOException {
        for (RedisServer sentinel : asked) {
            if (primaryPort(sentinel) != placeOf(server).port()) {
                return false;
            }
        }
        return server.text("INFO", "replication").contains("role:master");
    }

    private static boolean hasReplica(RedisServer primary) throws IOException {
        return primary.text("INFO", "replication").contains("state=online");
    }

    private static int primaryPort(RedisServer sentinel) throws IOException {
        List<?> address = (List<?>) sentinel.ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", StoreAddress.PRIMARY);
        return Integer.parseInt(address.get(1).toString());
    }

    private static boolean knowsAll(RedisServer sentinel) {
        try {
            List<?> facts = (List<?>) sentinel.ask("SENTINEL", "MASTER", StoreAddress.PRIMARY);
            return Stream.of("flags=master", "num-slaves=1", "num-other-sentinels=2")
                    .map(fact -> fact.split("=", 2))
                    .allMatch(fact -> facts.get(facts.indexOf(fact[0]) + 1).equals(fact[1]));
        } catch (IOException notYet) {
            return false;
        }
    }

    /** A server, and the link by which everybody knows it if there is one. */
    private record Place(RedisServer server, @Nullable Link way) {

        static Place behindALink(RedisServer server) throws IOException {
            Link link = new Link(server.port());
            server.ask("CONFIG", "SET", "replica-announce-ip", "127.0.0.1");
            server.ask("CONFIG", "SET", "replica-announce-port", Integer.toString(link.port()));
            return new Place(server, link);
        }

        int port() {
            return way == null ? server.port() : way.port();
        }

        Link link() {
            if (way == null) {
                throw new IllegalStateException("No link leads to this server");
            }
            return way;
        }
    }
}
