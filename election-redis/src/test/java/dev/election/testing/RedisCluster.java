package dev.election.testing;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A Cluster of three primaries with a replica each. All want a password. */
public final class RedisCluster implements AutoCloseable {

    public static final String PASSWORD = "of the cluster";

    private static final int PRIMARIES = 3;

    private final List<RedisServer> primaries = new ArrayList<>();
    private final List<RedisServer> replicas = new ArrayList<>();
    private final Map<RedisServer, Integer> busPorts = new HashMap<>();
    private final RedisClient client = RedisClient.create();

    private RedisCluster() {
        for (int i = 0; i < PRIMARIES; i++) {
            primaries.add(member());
            replicas.add(member());
        }
        all().forEach(server -> ask(primaries.get(0), redis -> meet(redis, server)));
        for (int i = 0; i < PRIMARIES; i++) {
            int[] slots = slots(i);
            ask(primaries.get(i), redis -> redis.clusterAddSlots(slots));
        }
        all().forEach(server -> Nodes.await("the members to know each other")
                .until(() -> ask(server, RedisCommands::clusterNodes).lines().count() == 2 * PRIMARIES));
        for (int i = 0; i < PRIMARIES; i++) {
            String primary = ask(primaries.get(i), RedisCommands::clusterMyId);
            ask(replicas.get(i), redis -> redis.clusterReplicate(primary));
        }
        replicas.forEach(replica -> Nodes.await("the replica to be up to date")
                .until(() -> ask(replica, redis -> redis.info("replication")).contains("master_link_status:up")));
        all().forEach(server -> Nodes.await("the cluster to be well")
                .until(() -> ask(server, RedisCommands::clusterInfo).contains("cluster_state:ok")));
        all().forEach(server -> Nodes.await("every replica to be known")
                .until(() -> ask(server, RedisCommands::clusterNodes)
                                .lines()
                                .filter(node -> node.contains("slave"))
                                .count()
                        == PRIMARIES));
    }

    /** Starts it and waits until every member finds it well. */
    public static RedisCluster start() {
        return new RedisCluster();
    }

    /** One member is enough to find the others. */
    public List<RedisURI> uris() {
        return primaries.stream().map(RedisCluster::uri).toList();
    }

    /** The server that owned the slot of that key at first. */
    public RedisServer owner(String key) {
        return primaries.get(ownerIndex(key));
    }

    /** The replica of the server that owned the slot of that key at first. */
    public RedisServer replica(String key) {
        return replicas.get(ownerIndex(key));
    }

    /** Waits until the replica of the first owner of that key's slot has taken its place. */
    public void awaitPromotion(String key) {
        RedisServer replica = replica(key);
        Nodes.await("the promotion")
                .until(() -> ask(replica, redis -> redis.info("replication")).contains("role:master"));
    }

    /** Asks that one member. */
    public <T> T ask(RedisServer member, Function<RedisCommands<String, String>, T> question) {
        try (StatefulRedisConnection<String, String> connection = client.connect(uri(member))) {
            return question.apply(connection.sync());
        }
    }

    /** Asks every member, primary or replica. */
    public void askAll(Function<RedisCommands<String, String>, ?> question) {
        all().forEach(member -> ask(member, question));
    }

    @Override
    public void close() {
        all().forEach(RedisServer::close);
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }

    private List<RedisServer> all() {
        List<RedisServer> all = new ArrayList<>(primaries);
        all.addAll(replicas);
        return all;
    }

    private static int ownerIndex(String key) {
        int slot = SlotHash.getSlot(key);
        return IntStream.range(0, PRIMARIES)
                .filter(i -> IntStream.of(slots(i)).anyMatch(owned -> owned == slot))
                .findFirst()
                .orElseThrow();
    }

    private static int[] slots(int primary) {
        return IntStream.range(0, SlotHash.SLOT_COUNT)
                .filter(slot -> slot * PRIMARIES / SlotHash.SLOT_COUNT == primary)
                .toArray();
    }

    private static RedisURI uri(RedisServer server) {
        return RedisURI.builder(server.uri())
                .withPassword(PASSWORD.toCharArray())
                .build();
    }

    /** With the port of the bus, which the client's own method for this can't say. */
    private String meet(RedisCommands<String, String> redis, RedisServer other) {
        return redis.dispatch(
                CommandType.CLUSTER,
                new StatusOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8)
                        .add("MEET")
                        .add("127.0.0.1")
                        .add(other.port())
                        .add(busPorts.get(other)));
    }

    private RedisServer member() {
        int busPort = Ports.free();
        List<String> options = new ArrayList<>(List.of("--cluster-enabled", "yes"));
        options.addAll(List.of("--cluster-port", Integer.toString(busPort)));
        options.addAll(List.of("--cluster-node-timeout", "1000", "--cluster-replica-validity-factor", "0"));
        options.addAll(List.of("--repl-diskless-sync-delay", "0"));
        options.addAll(List.of("--requirepass", PASSWORD, "--masterauth", PASSWORD));
        RedisServer member = RedisServer.start(RedisBinary.REDIS_7_0, options.toArray(String[]::new));
        busPorts.put(member, busPort);
        return member;
    }
}
