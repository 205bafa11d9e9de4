package dev.election.jdbc;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.NodeInfo;
import dev.election.Timing;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Whole nodes in this process, each of which reaches the database in its own way, and a watch for moments in which two of them lead. */
final class WatchedNodes implements AutoCloseable {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final Duration lease;
    private final List<Node> nodes = new CopyOnWriteArrayList<>();
    private final Map<String, Moments> overlaps = new ConcurrentHashMap<>();
    private final Thread watch = new Thread(this::watch);
    private volatile boolean isOver;

    WatchedNodes(Duration lease) {
        this.lease = lease;
        watch.setDaemon(true);
        watch.start();
    }

    record Node(String id, JdbcLeaseStore store, ElectionEngine engine, Election election) implements AutoCloseable {

        boolean leads() {
            return election.isLeader();
        }

        /** A leadership never comes back under the same token. */
        @Nullable
        FencingToken token() {
            return election.leadership().map(Leadership::token).orElse(null);
        }

        @Override
        public void close() {
            engine.close();
            store.close();
        }
    }

    /** From the first moment to the last. */
    private record Moments(long first, long last) {

        Moments until(Moments later) {
            return new Moments(first, later.last);
        }

        long millis() {
            return Duration.ofNanos(last - first).toMillis();
        }
    }

    /** It takes part from now on, as a process that has just started. */
    Node launch(String id, JdbcDatabase access) {
        JdbcSettings settings = new JdbcSettings(JdbcTable.DEFAULT, TableCreation.ALWAYS, Duration.ofMillis(200), 5);
        JdbcLeaseStore store = JdbcLeaseStore.open(access, lease, settings);
        ElectionEngine engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, ""))
                .timing(new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(1)))
                .build();
        Node node = new Node(id, store, engine, engine.get("e"));
        nodes.add(node);
        engine.start();
        return node;
    }

    Optional<Node> leader() {
        return nodes.stream().filter(Node::leads).findFirst();
    }

    Node awaitLeader() {
        return Awaitility.await()
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(10))
                .until(this::leader, Optional::isPresent)
                .orElseThrow();
    }

    /** Who has led beside each other since this was asked last, and for how long. */
    List<String> overlaps() {
        return overlaps.keySet().stream()
                .map(pair -> pair + " for " + overlaps.remove(pair).millis() + " ms")
                .toList();
    }

    private void watch() {
        while (!isOver) {
            for (Node one : nodes) {
                FencingToken token = one.token();
                if (token != null) {
                    nodes.stream()
                            .filter(other -> other != one && other.token() != null && token.equals(one.token()))
                            .forEach(other -> note(one, other));
                }
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private void note(Node one, Node other) {
        String pair = one.id.compareTo(other.id) < 0 ? one.id + " and " + other.id : other.id + " and " + one.id;
        long now = System.nanoTime();
        overlaps.merge(pair, new Moments(now, now), Moments::until);
    }

    @Override
    public void close() {
        isOver = true;
        nodes.forEach(Node::close);
    }

    /** A question to a database. */
    interface Condition {

        boolean holds() throws SQLException;
    }

    static void await(String what, Condition condition) {
        Awaitility.await(what)
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptionsInstanceOf(SQLException.class)
                .until(condition::holds);
    }

    /** The length of an observation: nothing may happen in it. */
    static void pass(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.multipliedBy(2)).until(() -> true);
    }
}
