package dev.election.harness;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A primary, a replica and three Sentinels that watch over them. */
public final class SentinelGroup implements AutoCloseable {

    /** By which the Sentinels know the primary. */
    public static final String NAME = "primary";

    /** Of the servers. */
    public static final String PASSWORD = "of the servers";

    private static final int SENTINELS = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final RedisProcess first;
    private final RedisProcess second;
    private final List<RedisProcess> sentinels;

    private SentinelGroup(RedisBinary binary, String sentinelPassword) {
        this.first = server(binary);
        this.second = server(binary, "--replicaof", "127.0.0.1", Integer.toString(first.port()));
        // A Sentinel looks for replicas when it starts, and then only every ten seconds.
        Wait.until("the replica", PATIENCE, () -> hasReplica(first));
        this.sentinels = IntStream.range(0, SENTINELS)
                .mapToObj(number -> sentinel(binary, sentinelPassword))
                .toList();
        Wait.until(
                "Sentinels that know all",
                PATIENCE,
                () -> knownToAll("num-other-sentinels", SENTINELS - 1) && knownToAll("num-slaves", 1));
    }

    /** Starts them and waits until they know of each other. */
    public static SentinelGroup start(RedisBinary binary) {
        return start(binary, "");
    }

    /** The same with Sentinels that want that password. */
    public static SentinelGroup start(RedisBinary binary, String sentinelPassword) {
        return new SentinelGroup(binary, sentinelPassword);
    }

    public List<RedisProcess> sentinels() {
        return sentinels;
    }

    /** The one that was the primary at first. */
    public RedisProcess first() {
        return first;
    }

    /** The one that was the replica at first. */
    public RedisProcess second() {
        return second;
    }

    /** Makes the Sentinels promote the replica, which they refuse for a while after the last time. */
    public void failOver() {
        Wait.until(
                "a failover",
                PATIENCE,
                () -> sentinels.get(0).text("SENTINEL", "FAILOVER", NAME).equals("OK"));
    }

    /** Waits until every Sentinel names that server as the primary, and the server agrees. */
    public void awaitPrimary(RedisProcess server) {
        boolean agreed = Wait.holdsWithin(
                PATIENCE,
                () -> knownToAll("port", server.port())
                        && server.text("INFO", "replication").contains("role:master"));
        if (!agreed) {
            throw new IllegalStateException("No new primary. The Sentinels log: "
                    + sentinels.stream().map(RedisProcess::log).collect(joining("\n\n")));
        }
    }

    /** The connections to that Sentinel that listen to it. */
    public static List<String> listeners(RedisProcess sentinel) {
        try {
            return sentinel.text("CLIENT", "LIST")
                    .lines()
                    .filter(client -> !client.contains(" sub=0 "))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        sentinels.forEach(RedisProcess::close);
        second.close();
        first.close();
    }

    private static boolean hasReplica(RedisProcess primary) throws IOException {
        return primary.text("INFO", "replication").contains("state=online");
    }

    private boolean knownToAll(String field, int value) throws IOException {
        for (RedisProcess sentinel : sentinels) {
            if (!state(sentinel, field).equals(Integer.toString(value))) {
                return false;
            }
        }
        return true;
    }

    private static String state(RedisProcess sentinel, String field) throws IOException {
        List<?> state = (List<?>) sentinel.ask("SENTINEL", "MASTER", NAME);
        return state.get(state.indexOf(field) + 1).toString();
    }

    private static RedisProcess server(RedisBinary binary, String... more) {
        List<String> options =
                new ArrayList<>(List.of("--repl-diskless-sync-delay", "0", "--repl-diskless-sync", "yes"));
        options.addAll(List.of("--requirepass", PASSWORD, "--masterauth", PASSWORD));
        options.addAll(List.of(more));
        return new RedisProcess(RedisSettings.of(binary, options.toArray(String[]::new)));
    }

    private RedisProcess sentinel(RedisBinary binary, String password) {
        String configuration =
                """
                sentinel monitor %1$s 127.0.0.1 %2$d 2
                sentinel auth-pass %1$s "%3$s"
                sentinel down-after-milliseconds %1$s 500
                sentinel failover-timeout %1$s 1500
                """
                        .formatted(NAME, first.port(), PASSWORD);
        String[] options = password.isEmpty() ? new String[0] : new String[] {"--requirepass", password};
        RedisProcess sentinel =
                new RedisProcess(RedisSettings.of(binary, options).asSentinel(configuration));
        if (binary != RedisBinary.REDIS_6_2) {
            neverTilt(sentinel);
        }
        return sentinel;
    }

    /** Where a Sentinel has stood still for two seconds it makes no failover for thirty. Those before Redis 7 can't be told otherwise. */
    public static void neverTilt(RedisProcess sentinel) {
        try {
            String answer = sentinel.text("SENTINEL", "DEBUG", "TILT-TRIGGER", "3600000");
            if (!answer.equals("OK")) {
                throw new IllegalStateException(answer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
