package dev.election.testing;

import static java.util.stream.Collectors.joining;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import io.lettuce.core.sentinel.api.sync.RedisSentinelCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.core.ConditionTimeoutException;

/** A primary, a replica and three Sentinels that watch over them. All servers want a password. */
public final class SentinelGroup implements AutoCloseable {

    public static final String NAME = "primary";
    public static final String PASSWORD = "of the servers";

    private static final int SENTINELS = 3;

    private final RedisBinary binary;
    private final String login;
    private final RedisServer primary;
    private final RedisServer replica;
    private final List<RedisServer> sentinels = new ArrayList<>();
    private final RedisClient client = RedisClient.create();

    private SentinelGroup(RedisBinary binary, String login) {
        this.binary = binary;
        this.login = login;
        this.primary = server();
        this.replica = server("--replicaof", "127.0.0.1", Integer.toString(primary.port()));
        // A Sentinel looks for replicas when it starts, and then only every ten seconds.
        Nodes.await("the replica").until(() -> RedisServer.call(uri(primary), redis -> redis.info("replication"))
                .contains("state=online"));
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(sentinel());
        }
        sentinels.forEach(sentinel -> Nodes.await("the other Sentinels")
                .until(() -> ask(sentinel, redis -> redis.master(NAME)).get("num-other-sentinels"), "2"::equals));
        sentinels.forEach(sentinel -> Nodes.await("the replica, seen by a Sentinel")
                .until(() -> ask(sentinel, redis -> redis.master(NAME)).get("num-slaves"), "1"::equals));
    }

    /** Starts them and waits until they know of each other. */
    public static SentinelGroup start(RedisBinary binary) {
        return start(binary, "");
    }

    /** The same with Sentinels that want that password. */
    public static SentinelGroup start(RedisBinary binary, String sentinelPassword) {
        return new SentinelGroup(binary, sentinelPassword);
    }

    /** How a client finds the primary. */
    public RedisURI uri() {
        RedisURI.Builder uri =
                RedisURI.Builder.sentinel("127.0.0.1", sentinels.get(0).port(), NAME);
        sentinels.stream().skip(1).forEach(sentinel -> uri.withSentinel("127.0.0.1", sentinel.port()));
        return uri.withPassword(PASSWORD.toCharArray()).build();
    }

    /** The connections to that Sentinel that listen to it. */
    public List<String> listeners(RedisServer sentinel) {
        return ask(sentinel, redis -> redis.clientList())
                .lines()
                .filter(client -> !client.contains(" sub=0 "))
                .toList();
    }

    public List<RedisServer> sentinels() {
        return List.copyOf(sentinels);
    }

    public List<Integer> sentinelPorts() {
        return sentinels.stream().map(RedisServer::port).toList();
    }

    /** The one that was the primary at first. */
    public RedisServer first() {
        return primary;
    }

    /** The one that was the replica at first. */
    public RedisServer second() {
        return replica;
    }

    /** How a client reaches one of the servers without the Sentinels. */
    public static RedisURI uri(RedisServer server) {
        return RedisURI.builder(server.uri())
                .withPassword(PASSWORD.toCharArray())
                .build();
    }

    public void failOver() {
        ask(sentinels.get(0), redis -> redis.failover(NAME));
    }

    /** Waits until every Sentinel names that server as the primary, and the server agrees. */
    public void awaitPrimary(RedisServer server) {
        String port = Integer.toString(server.port());
        try {
            sentinels.forEach(sentinel -> Nodes.await("the new primary")
                    .until(() -> ask(sentinel, redis -> redis.master(NAME)).get("port"), port::equals));
        } catch (ConditionTimeoutException late) {
            throw new AssertionError(
                    "No new primary. The Sentinels log: "
                            + sentinels.stream().map(RedisServer::log).collect(joining("\n\n")),
                    late);
        }
        Nodes.await("the role of the new primary")
                .until(() -> RedisServer.call(uri(server), redis -> redis.info("replication"))
                        .contains("role:master"));
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        replica.close();
        primary.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }

    private RedisServer server(String... more) {
        List<String> options =
                new ArrayList<>(List.of("--repl-diskless-sync-delay", "0", "--repl-diskless-sync", "yes"));
        options.addAll(List.of("--requirepass", PASSWORD, "--masterauth", PASSWORD));
        options.addAll(List.of(more));
        return RedisServer.start(binary, options.toArray(String[]::new));
    }

    private RedisServer sentinel() {
        int port = Ports.free();
        String configuration =
                """
                port %1$d
                bind 127.0.0.1
                sentinel monitor %2$s 127.0.0.1 %3$d 2
                sentinel auth-pass %2$s "%4$s"
                sentinel down-after-milliseconds %2$s 500
                sentinel failover-timeout %2$s 1500
                requirepass "%5$s"
                """
                        .formatted(port, NAME, primary.port(), PASSWORD, login);
        try {
            Path file = TemporaryFolders.create("election-sentinel-").resolve("sentinel.conf");
            Files.writeString(file, configuration);
            RedisServer sentinel = RedisServer.startAt(binary.path(), port, file.toString(), "--sentinel");
            if (binary != RedisBinary.REDIS_6_2) {
                neverTilt(uriOf(sentinel));
            }
            return sentinel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where a Sentinel has stood still for two seconds it makes no failover for thirty. Those before Redis 7 can't be told otherwise. */
    static void neverTilt(RedisURI sentinel) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8)
                .add("DEBUG")
                .add("TILT-TRIGGER")
                .add(3_600_000);
        String answer = RedisServer.call(
                sentinel,
                redis -> redis.dispatch(CommandType.SENTINEL, new StatusOutput<>(StringCodec.UTF8), arguments));
        if (!answer.equals("OK")) {
            throw new IllegalStateException(answer);
        }
    }

    private RedisURI uriOf(RedisServer sentinel) {
        RedisURI uri = sentinel.uri();
        if (!login.isEmpty()) {
            uri.setCredentialsProvider(RedisCredentialsProvider.from(() -> RedisCredentials.just(null, login)));
        }
        return uri;
    }

    private <T> T ask(RedisServer sentinel, Function<RedisSentinelCommands<String, String>, T> question) {
        try (StatefulRedisSentinelConnection<String, String> connection =
                client.connectSentinel(StringCodec.UTF8, uriOf(sentinel))) {
            return question.apply(connection.sync());
        }
    }
}
