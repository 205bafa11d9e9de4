package dev.election.harness;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A primary, a replica, and three Sentinels that watch over them. */
public final class SentinelGroup implements AutoCloseable {

    /** Name of the primary among the Sentinels. */
    public static final String NAME = "primary";

    /** Password of the servers, if they require one. */
    public static final String PASSWORD = "of the servers";

    private static final int SERVERS = 2;
    private static final int SENTINELS = 3;

    /** How long a server may be silent, where nothing else is wanted, before it counts as gone. */
    private static final Duration DOWN_AFTER = Duration.ofMillis(500);

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final List<RedisProcess> servers = new ArrayList<>();
    private final List<Sentinel> sentinels = new ArrayList<>();
    private final @Nullable GroupLinks links;

    private SentinelGroup(
            Supplier<RedisSettings> server,
            Supplier<RedisSettings> sentinel,
            Duration downAfter,
            @Nullable GroupLinks links)
            throws IOException {
        this.links = links;
        for (int i = 0; i < SERVERS; i++) {
            servers.add(startServer(server.get()));
        }
        follow(second(), first());
        // A Sentinel looks for replicas when it starts, and then only every ten seconds.
        Wait.until("the replica", PATIENCE, () -> hasReplica(first()));
        for (int i = 0; i < SENTINELS; i++) {
            sentinels.add(startSentinel(sentinel.get(), downAfter));
        }
        awaitHealth();
    }

    /** Starts servers that want a {@link #PASSWORD}, and Sentinels, and waits until they know of each other. */
    public static SentinelGroup start(RedisBinary binary) {
        return start(binary, "");
    }

    /** Starts a group whose Sentinels require that password; empty for none. */
    public static SentinelGroup start(RedisBinary binary, String sentinelPassword) {
        String[] options =
                sentinelPassword.isEmpty() ? new String[0] : new String[] {"--requirepass", sentinelPassword};
        SentinelGroup group = start(
                () -> RedisSettings.of(binary, "--repl-diskless-sync-delay", "0", "--repl-diskless-sync", "yes")
                        .with("--requirepass", PASSWORD, "--masterauth", PASSWORD),
                () -> RedisSettings.of(binary, options),
                DOWN_AFTER);
        if (binary != RedisBinary.REDIS_6_2) {
            group.neverTilt();
        }
        return group;
    }

    /** Starts all of them with these settings, and waits until they know of each other. */
    public static SentinelGroup start(
            Supplier<RedisSettings> server, Supplier<RedisSettings> sentinel, Duration downAfter) {
        return start(server, sentinel, downAfter, null);
    }

    /** Starts one of which the members reach each other by links, which clients do not use. */
    public static SentinelGroup startLinked(
            Supplier<RedisSettings> server, Supplier<RedisSettings> sentinel, Duration downAfter) {
        return start(server, sentinel, downAfter, new GroupLinks());
    }

    private static SentinelGroup start(
            Supplier<RedisSettings> server,
            Supplier<RedisSettings> sentinel,
            Duration downAfter,
            @Nullable GroupLinks links) {
        try {
            return new SentinelGroup(server, sentinel, downAfter, links);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<RedisProcess> servers() {
        return List.copyOf(servers);
    }

    /** The one that was the primary at first. */
    public RedisProcess first() {
        return servers.get(0);
    }

    /** The one that was the replica at first. */
    public RedisProcess second() {
        return servers.get(1);
    }

    public RedisProcess other(RedisProcess server) {
        return servers.get(1 - servers.indexOf(server));
    }

    public List<Sentinel> sentinels() {
        return List.copyOf(sentinels);
    }

    /** The primary according to the first Sentinel. */
    public RedisProcess primary() throws IOException {
        int port = sentinels.get(0).primaryPort();
        return servers.stream()
                .filter(server -> knownPort(server) == port)
                .findFirst()
                .orElseThrow();
    }

    /** The links between the members. */
    public GroupLinks links() {
        if (links == null) {
            throw new IllegalStateException("The members of this group reach each other without links");
        }
        return links;
    }

    /** Makes the Sentinels promote the replica, which they refuse for a while after the last time. */
    public void failOver() {
        Wait.until(
                "a failover",
                PATIENCE,
                () -> sentinels.get(0).text("SENTINEL", "FAILOVER", NAME).equals("OK"));
    }

    /** Makes the one follow the other, as an operator does. */
    public void follow(RedisProcess replica, RedisProcess primary) throws IOException {
        replica.ask("REPLICAOF", "127.0.0.1", Integer.toString(knownPort(primary)));
    }

    /** Waits until every Sentinel names that server as the primary, and the server agrees. */
    public void awaitPrimary(RedisProcess server) {
        if (!agreeOn(server, PATIENCE)) {
            throw new IllegalStateException("No new primary. The Sentinels log: "
                    + sentinels.stream().map(RedisProcess::log).collect(joining("\n\n")));
        }
    }

    /** Waits until every Sentinel names that server as the primary, and the server agrees; returns whether they did in time. */
    public boolean agreeOn(RedisProcess server, Duration patience) {
        return Wait.holdsWithin(patience, () -> isPrimary(server, sentinels));
    }

    /** Waits as {@link #agreeOn} does, without asking the first Sentinel. */
    public boolean othersAgreeOn(RedisProcess server, Duration patience) {
        return Wait.holdsWithin(patience, () -> isPrimary(server, sentinels.subList(1, SENTINELS)));
    }

    /** Waits until there is one primary, one replica and Sentinels that know them. */
    public void awaitHealth() {
        Wait.until("one primary, one replica and Sentinels that know them", PATIENCE, () -> {
            RedisProcess primary = primary();
            return isPrimary(primary, sentinels) && hasReplica(primary) && allKnowAll();
        });
    }

    /** Lets Sentinels that have stood still for two seconds fail over at once, not after half a minute. Those before Redis 7 can't be told. */
    public void neverTilt() {
        sentinels.forEach(sentinel -> sentinel.order("SENTINEL", "DEBUG", "TILT-TRIGGER", "3600000"));
    }

    @Override
    public void close() {
        sentinels.forEach(RedisProcess::close);
        servers.forEach(RedisProcess::close);
    }

    private boolean isPrimary(RedisProcess server, List<Sentinel> asked) throws IOException {
        for (Sentinel sentinel : asked) {
            if (sentinel.primaryPort() != knownPort(server)) {
                return false;
            }
        }
        return server.text("INFO", "replication").contains("role:master");
    }

    private static boolean hasReplica(RedisProcess primary) throws IOException {
        return primary.text("INFO", "replication").contains("state=online");
    }

    private boolean allKnowAll() throws IOException {
        for (Sentinel sentinel : sentinels) {
            if (!sentinel.knows(SERVERS - 1, SENTINELS - 1)) {
                return false;
            }
        }
        return true;
    }

    private int knownPort(RedisProcess server) {
        return links == null ? server.port() : links.linkTo(server).port();
    }

    private RedisProcess startServer(RedisSettings settings) throws IOException {
        return links == null ? new RedisProcess(settings) : links.startServer(settings);
    }

    private Sentinel startSentinel(RedisSettings settings, Duration downAfter) {
        String configuration =
                """
                sentinel monitor %1$s 127.0.0.1 %2$d 2
                sentinel down-after-milliseconds %1$s %3$d
                sentinel failover-timeout %1$s %4$d
                """
                        .formatted(
                                NAME,
                                knownPort(first()),
                                downAfter.toMillis(),
                                downAfter.multipliedBy(3).toMillis());
        if (!first().password().isEmpty()) {
            configuration += "sentinel auth-pass " + NAME + " \"" + first().password() + "\"\n";
        }
        if (links == null) {
            return Sentinel.start(settings, configuration);
        }
        configuration += "sentinel announce-ip 127.0.0.1\nsentinel announce-port "
                + links.addSentinel(settings).port() + "\n";
        return Sentinel.start(settings.with("--bind-source-addr", links.addressOfLastSentinel()), configuration);
    }
}
