package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.store.ReadReply;
import dev.election.testing.KillsProcesses;
import dev.election.testing.OtherServers;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whole nodes over a PostgreSQL to which things happen. */
@RealTime
@OtherServers
@KillsProcesses
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NodesOnPostgresTest {

    private static final Logger log = LoggerFactory.getLogger(NodesOnPostgresTest.class);

    private static final Duration SOON = Duration.ofSeconds(60);

    private final List<Node> nodes = new ArrayList<>();
    private final Queue<String> overlaps = new ConcurrentLinkedQueue<>();
    private PostgresDatabase database;
    private volatile boolean isOver;

    @BeforeEach
    void start() throws Exception {
        database = new PostgresDatabase();
    }

    @AfterEach
    void stop() throws Exception {
        isOver = true;
        for (Node node : nodes) {
            node.engine.close();
            node.store.close();
        }
        database.close();
        assertThat(overlaps).as("moments with two leaders").isEmpty();
    }

    private record Node(String id, JdbcLeaseStore store, ElectionEngine engine, Election election) {

        /** A leadership never comes back under the same token. */
        @Nullable
        FencingToken token() {
            return election.leadership().map(Leadership::token).orElse(null);
        }
    }

    private void launch(int count, Duration lease, @Nullable Duration pollInterval) {
        for (int i = 0; i < count; i++) {
            JdbcSettings settings = new JdbcSettings(JdbcTable.DEFAULT, TableCreation.ALWAYS, pollInterval, 5);
            JdbcLeaseStore store = JdbcLeaseStore.open(database.access(), lease, settings);
            ElectionEngine engine = ElectionEngine.over(store)
                    .as(new NodeInfo("node-" + i, ""))
                    .timing(new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(1)))
                    .build();
            nodes.add(new Node("node-" + i, store, engine, engine.get("e")));
        }
        nodes.forEach(node -> node.engine.start());
        Thread watch = new Thread(this::watch);
        watch.setDaemon(true);
        watch.start();
    }

    private void watch() {
        while (!isOver) {
            for (Node one : nodes) {
                FencingToken token = one.token();
                if (token != null) {
                    nodes.stream()
                            .filter(other -> other != one && other.token() != null && token.equals(one.token()))
                            .forEach(other -> overlaps.add(one.id + " and " + other.id));
                }
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private Node awaitLeader() {
        return Awaitility.await()
                .atMost(SOON)
                .until(this::leader, Optional::isPresent)
                .orElseThrow();
    }

    private Optional<Node> leader() {
        return nodes.stream().filter(node -> node.election.isLeader()).findFirst();
    }

    @Test
    void a_leader_stays_with_its_token_when_the_server_is_killed_and_comes_back() throws Exception {
        launch(3, Duration.ofSeconds(6), Duration.ofMillis(200));
        Node leader = awaitLeader();
        FencingToken token = leader.token();
        database.server().kill();
        database.server().restart();
        Awaitility.await().atMost(SOON).until(() -> nodes.stream()
                .allMatch(node -> node.store.read("any").toCompletableFuture().join() instanceof ReadReply.Read));
        Node after = awaitLeader();
        assertThat(after).isSameAs(leader);
        assertThat(after.token()).isEqualTo(token);
    }

    @Test
    void nobody_leads_while_the_server_hangs_for_longer_than_a_lease_and_somebody_does_afterwards() throws Exception {
        launch(3, Duration.ofSeconds(3), Duration.ofMillis(200));
        awaitLeader();
        database.server().freeze();
        try {
            Awaitility.await().atMost(Duration.ofSeconds(4)).until(() -> leader().isEmpty());
        } finally {
            database.server().thaw();
        }
        awaitLeader();
    }

    @Test
    void a_leader_that_gives_up_is_followed_within_the_poll_interval() {
        Duration interval = Duration.ofSeconds(1);
        launch(3, Duration.ofSeconds(60), interval);
        Node leader = awaitLeader();
        leader.election.abdicate(Abdication.toAnyone().coolingDownFor(SOON));
        Awaitility.await().atMost(Duration.ofSeconds(2)).until(() -> !leader.election.isLeader());
        long released = System.nanoTime();
        Awaitility.await().atMost(SOON).until(() -> leader().isPresent());
        // And some seconds for questions in turn. Without the poll it would be the lease.
        assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(interval.plusSeconds(3));
    }

    /** Beside the others: it waits for two minutes. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void ten_nodes_send_less_than_four_statements_a_second() {
        Duration lease = Duration.ofSeconds(15);
        launch(10, lease, null);
        awaitLeader();
        // An idle connection counts its commits with its next statement: those that listen count those of the start
        // after a minute.
        pass(lease.multipliedBy(5));
        long before = commits();
        long began = System.nanoTime();
        pass(lease.multipliedBy(2));
        double perSecond = (commits() - before) * 1e9 / (System.nanoTime() - began);
        log.info("Ten nodes sent {} statements a second", perSecond);
        assertThat(perSecond).isLessThan(4);
    }

    /** What is measured is how much happens in that time. */
    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).atMost(time.multipliedBy(2)).until(() -> true);
    }

    private long commits() {
        return Long.parseLong(String.valueOf(
                database.query("select xact_commit from pg_stat_database where datname = current_database()")
                        .get(0)
                        .get(0)));
    }
}
