package dev.election.testing;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A primary, a replica and three Sentinels, of which the first can be cut off together with the primary: the other two, and the replica, log in as
 * users of their own, which the primary then refuses. Clients reach all of them all the time.
 */
public final class SplitGroup implements AutoCloseable {

    private static final String NAME = "primary";
    private static final String PASSWORD = "secret";
    private static final String REPLICA = "replica";
    private static final String STALE = "stale";
    private static final String OTHERS = "others";

    private final RedisServer primary;
    private final RedisServer replica;
    private final RedisServer stale;
    private final List<RedisServer> others;

    private SplitGroup() {
        primary = server();
        replica = server(
                "--replicaof",
                "127.0.0.1",
                Integer.toString(primary.port()),
                "--masteruser",
                REPLICA,
                "--masterauth",
                PASSWORD);
        allow(primary, REPLICA);
        allow(primary, STALE);
        allow(primary, OTHERS);
        allow(replica, OTHERS);
        Nodes.await("the replica").until(() -> RedisServer.call(uri(primary), redis -> redis.info("replication"))
                .contains("state=online"));
        // The others can't talk to it either: it announces a port at which nobody listens.
        stale = sentinel(STALE, "sentinel announce-ip 127.0.0.1\nsentinel announce-port " + Ports.free());
        others = List.of(sentinel(OTHERS, ""), sentinel(OTHERS, ""));
        others.forEach(sentinel -> {
            Nodes.await("the other Sentinels").until(() -> state(sentinel, "num-other-sentinels"), "2"::equals);
            Nodes.await("the replica, seen by a Sentinel").until(() -> state(sentinel, "num-slaves"), "1"::equals);
        });
    }

    /** Starts them and waits until they know of each other. */
    public static SplitGroup start() {
        return new SplitGroup();
    }

    /** How a client finds the primary that asks the first Sentinel first. */
    public RedisURI uri() {
        return uri(stale, others.get(0), others.get(1));
    }

    /** How a client finds the primary that asks the first Sentinel last. */
    public RedisURI otherUri() {
        return uri(others.get(0), others.get(1), stale);
    }

    /** The primary at first. */
    public RedisServer first() {
        return primary;
    }

    /** The one that is the primary after the failover. */
    public RedisServer promoted() {
        return replica;
    }

    /** How a client reaches one of the servers without the Sentinels. */
    public static RedisURI uri(RedisServer server) {
        return RedisURI.builder(server.uri())
                .withPassword(PASSWORD.toCharArray())
                .build();
    }

    /** Cuts the primary and the first Sentinel off, and waits until the others have made the replica the primary. */
    public void split() {
        for (String user : List.of(REPLICA, OTHERS)) {
            RedisServer.call(uri(primary), redis -> redis.aclSetuser(user, AclSetuserArgs.Builder.off()));
            RedisServer.call(uri(primary), redis -> redis.clientKill(KillArgs.Builder.user(user)));
        }
        String port = Integer.toString(replica.port());
        others.forEach(sentinel -> Nodes.await("the new primary").until(() -> state(sentinel, "port"), port::equals));
    }

    @Override
    public void close() {
        others.forEach(RedisServer::close);
        stale.close();
        replica.close();
        primary.close();
    }

    private static RedisServer server(String... options) {
        List<String> all = new ArrayList<>(List.of("--requirepass", PASSWORD, "--repl-diskless-sync-delay", "0"));
        all.addAll(List.of(options));
        return RedisServer.start(RedisBinary.REDIS_7_0, all.toArray(String[]::new));
    }

    private static void allow(RedisServer server, String user) {
        RedisServer.call(
                uri(server),
                redis -> redis.aclSetuser(
                        user,
                        AclSetuserArgs.Builder.on()
                                .addPassword(PASSWORD)
                                .allKeys()
                                .allChannels()
                                .allCommands()));
    }

    private RedisServer sentinel(String user, String more) {
        int port = Ports.free();
        String configuration =
                """
                port %1$d
                bind 127.0.0.1
                sentinel monitor %2$s 127.0.0.1 %3$d 2
                sentinel auth-user %2$s %4$s
                sentinel auth-pass %2$s %5$s
                sentinel down-after-milliseconds %2$s 500
                sentinel failover-timeout %2$s 1500
                %6$s
                """
                        .formatted(port, NAME, primary.port(), user, PASSWORD, more);
        try {
            Path file = TemporaryFolders.create("election-sentinel-").resolve("sentinel.conf");
            Files.writeString(file, configuration);
            RedisServer sentinel =
                    RedisServer.startAt(RedisBinary.REDIS_7_0.path(), port, file.toString(), "--sentinel");
            SentinelGroup.neverTilt(sentinel.uri());
            return sentinel;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String state(RedisServer sentinel, String field) {
        List<String> state = RedisServer.call(
                sentinel.uri(),
                redis -> redis.dispatch(
                        CommandType.SENTINEL,
                        new ValueListOutput<>(StringCodec.UTF8),
                        new CommandArgs<>(StringCodec.UTF8).add("MASTER").add(NAME)));
        return state.get(state.indexOf(field) + 1);
    }

    private static RedisURI uri(RedisServer... sentinels) {
        RedisURI.Builder uri = RedisURI.Builder.sentinel("127.0.0.1", sentinels[0].port(), NAME);
        for (int i = 1; i < sentinels.length; i++) {
            uri.withSentinel("127.0.0.1", sentinels[i].port());
        }
        return uri.withPassword(PASSWORD.toCharArray()).build();
    }
}
