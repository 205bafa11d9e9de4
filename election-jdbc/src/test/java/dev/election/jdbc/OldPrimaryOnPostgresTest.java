package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.harness.Children;
import dev.election.harness.PostgresServer;
import dev.election.harness.TemporaryFolders;
import dev.election.jdbc.WatchedNodes.Node;
import dev.election.testing.KillsProcesses;
import dev.election.testing.OtherServers;
import dev.election.testing.RealTime;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The URL names two servers. The first one was stopped, the second one promoted, and the nodes lead there. Then the first one goes on as if
 * nothing had happened, and the driver takes it for new connections.
 */
@RealTime
@OtherServers
@KillsProcesses
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OldPrimaryOnPostgresTest {

    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final WatchedNodes nodes = new WatchedNodes(LEASE);
    private static PostgresServer old;
    private static PostgresServer promoted;
    private static Node leader;
    private static @Nullable FencingToken token;

    @BeforeAll
    static void start() throws Exception {
        old = new PostgresServer(Children.OF_THIS_JVM, TemporaryFolders.create("pg"));
        promoted = new PostgresServer(Children.OF_THIS_JVM, TemporaryFolders.create("pg"));
        promoted.kill();
        promoted.follow(old, old.port());
        nodes.launch("one", access("one"));
        nodes.launch("another", access("another"));
        nodes.awaitLeader();
        WatchedNodes.await(
                "replication of the record", () -> "t".equals(promoted.text("select count(*) > 0 from election")));
        old.freeze();
        String stoppedAt = promoted.text("select clock_timestamp()");
        promoted.promote();
        WatchedNodes.await("a leader at the promoted server", () -> isLedSince(stoppedAt));
        leader = nodes.awaitLeader();
        token = leader.token();
        old.thaw();
        WatchedNodes.await("the end of the lease in the old record", () -> "t"
                .equals(old.text(
                        "select every(lease_end < clock_timestamp()) from election where holder is not null")));
        WatchedNodes.await("that the driver takes the old server", OldPrimaryOnPostgresTest::isOldTaken);
    }

    @AfterAll
    static void stop() {
        nodes.close();
        old.close();
        promoted.close();
    }

    @Test
    void a_process_that_has_just_started_does_not_lead_beside_the_leader_at_the_promoted_server() {
        try (Node unused = nodes.launch("fresh", access("fresh"))) {
            WatchedNodes.pass(LEASE.multipliedBy(3).dividedBy(2));
            assertLeaderStayed();
            for (String what : new String[] {"listen ", "select name, news from "}) {
                WatchedNodes.await(
                        "that it is at the promoted server", () -> "t".equals(promoted.text(asks("fresh", what))));
                WatchedNodes.await("that it has left the old server", () -> "f".equals(old.text(asks("fresh", what))));
            }
        }
    }

    @Test
    void a_follower_whose_connections_end_does_not_lead_beside_the_leader_at_the_promoted_server() throws Exception {
        String follower = leader.id().equals("one") ? "another" : "one";
        promoted.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where application_name = '" + follower + "'");
        WatchedNodes.pass(LEASE.multipliedBy(2));
        assertLeaderStayed();
    }

    @Test
    void the_nodes_that_went_on_at_the_promoted_server_listen_there() {
        for (String node : new String[] {"one", "another"}) {
            WatchedNodes.await("that it asks the promoted server", () -> "t"
                    .equals(promoted.text(asks(node, "select name, news from "))));
            WatchedNodes.await("that it has left the old server", () -> "0"
                    .equals(old.text("select count(*) from pg_stat_activity where application_name = '" + node + "'")));
        }
    }

    /** Whether a process has a connection whose last statement begins like that. */
    private static String asks(String application, String begin) {
        return "select count(*) > 0 from pg_stat_activity where query like '" + begin + "%' and application_name = '"
                + application + "'";
    }

    private void assertLeaderStayed() {
        assertThat(nodes.overlaps()).as("who led beside each other").isEmpty();
        assertThat(leader.token()).isEqualTo(token);
    }

    /** The first server is tried again two seconds after it was silent. */
    private static String url(String application) {
        return "jdbc:postgresql://127.0.0.1:" + old.port() + ",127.0.0.1:" + promoted.port()
                + "/postgres?hostRecheckSeconds=2&ApplicationName=" + application;
    }

    private static JdbcDatabase access(String application) {
        return JdbcDatabase.at(url(application), PostgresServer.SUPERUSER, "");
    }

    /** One of the nodes leads by a record that was written after that time. */
    private static boolean isLedSince(String time) throws SQLException {
        return nodes.leader().isPresent()
                && "t"
                        .equals(promoted.text("select count(*) > 0 from election where lease_end > timestamptz '" + time
                                + "' + interval '" + LEASE.toSeconds() + " seconds'"));
    }

    private static boolean isOldTaken() throws SQLException {
        try (Connection connection = access("probe").open(Duration.ofSeconds(1));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select inet_server_port()")) {
            row.next();
            return row.getInt(1) == old.port();
        }
    }
}
