package dev.election.testing;

import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.SentinelGroup;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A primary, a replica and three Sentinels, of which the first can be cut off together with the primary: the other two, and the replica, log in as
 * users of their own, which the primary then refuses. Clients reach all of them all the time.
 */
public final class SplitGroup implements AutoCloseable {

    private static final String PASSWORD = "secret";
    private static final String REPLICA = "replica";
    private static final String STALE = "stale";
    private static final String OTHERS = "others";

    private final RedisServer primary;
    private final RedisServer replica;
    private final RedisProcess stale;
    private final List<RedisProcess> others;

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
        Nodes.await("the replica")
                .until(() -> primary.call(redis -> redis.info("replication")).contains("state=online"));
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
        return Lettuce.uri(List.of(stale, others.get(0), others.get(1)), PASSWORD);
    }

    /** How a client finds the primary that asks the first Sentinel last. */
    public RedisURI otherUri() {
        return Lettuce.uri(List.of(others.get(0), others.get(1), stale), PASSWORD);
    }

    /** The primary at first. */
    public RedisServer first() {
        return primary;
    }

    /** The one that is the primary after the failover. */
    public RedisServer promoted() {
        return replica;
    }

    /** Cuts the primary and the first Sentinel off, and waits until the others have made the replica the primary. */
    public void split() {
        for (String user : List.of(REPLICA, OTHERS)) {
            primary.call(redis -> redis.aclSetuser(user, AclSetuserArgs.Builder.off()));
            primary.call(redis -> redis.clientKill(KillArgs.Builder.user(user)));
        }
        String port = Integer.toString(replica.port());
        others.forEach(sentinel -> Nodes.await("the new primary").until(() -> state(sentinel, "port"), port::equals));
    }

    @Override
    public void close() {
        others.forEach(RedisProcess::close);
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
        server.call(redis -> redis.aclSetuser(
                user,
                AclSetuserArgs.Builder.on()
                        .addPassword(PASSWORD)
                        .allKeys()
                        .allChannels()
                        .allCommands()));
    }

    private RedisProcess sentinel(String user, String more) {
        String configuration =
                """
                sentinel monitor %1$s 127.0.0.1 %2$d 2
                sentinel auth-user %1$s %3$s
                sentinel auth-pass %1$s %4$s
                sentinel down-after-milliseconds %1$s 500
                sentinel failover-timeout %1$s 1500
                %5$s
                """
                        .formatted(SentinelGroup.NAME, primary.port(), user, PASSWORD, more);
        RedisProcess sentinel =
                new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0).asSentinel(configuration));
        SentinelGroup.neverTilt(sentinel);
        return sentinel;
    }

    private static String state(RedisProcess sentinel, String field) throws IOException {
        List<?> state = (List<?>) sentinel.ask("SENTINEL", "MASTER", SentinelGroup.NAME);
        return state.get(state.indexOf(field) + 1).toString();
    }
}
