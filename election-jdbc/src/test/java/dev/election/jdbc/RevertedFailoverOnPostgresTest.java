package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.Link;
import dev.election.harness.PostgresServer;
import dev.election.harness.TemporaryFolders;
import dev.election.jdbc.WatchedNodes.Node;
import dev.election.testing.OtherServers;
import dev.election.testing.RealTime;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The address of the database leads to one server, then to another one that was promoted, and then to the first one again, which has run all
 * the time. The leader does not reach it: it still leads by its last renewal at the promoted server.
 */
@RealTime
@OtherServers
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RevertedFailoverOnPostgresTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

    private final WatchedNodes nodes = new WatchedNodes(LEASE);
    private PostgresServer first;
    private PostgresServer second;

    @BeforeEach
    void start() throws Exception {
        first = new PostgresServer(Children.OF_THIS_JVM, TemporaryFolders.create("pg"));
        second = new PostgresServer(Children.OF_THIS_JVM, TemporaryFolders.create("pg"));
        second.kill();
        second.follow(first, first.port());
    }

    @AfterEach
    void stop() {
        nodes.close();
        first.close();
        second.close();
    }

    @Test
    void neither_a_follower_nor_a_process_that_has_just_started_leads_before_the_lease_at_the_second_server_ends()
            throws Exception {
        try (Link wayOfOne = new Link(first.port());
                Link wayOfAnother = new Link(first.port())) {
            Node one = nodes.launch("one", access(wayOfOne.port()));
            nodes.launch("another", access(wayOfAnother.port()));
            nodes.awaitLeader();
            WatchedNodes.await("replication of the record", () -> is(second, "select count(*) > 0 from election"));
            String promotedAt = second.text("select clock_timestamp()");
            second.promote();
            wayOfOne.redirect(second.port());
            wayOfAnother.redirect(second.port());
            WatchedNodes.await("a leader at the second server", () -> isLedSince(promotedAt));
            WatchedNodes.await(
                    "the end of the lease in the first one",
                    () -> is(first, "select every(lease_end < clock_timestamp()) from election where token > 0"));
            Node leader = nodes.awaitLeader();
            (leader == one ? wayOfOne : wayOfAnother).refuse();
            (leader == one ? wayOfAnother : wayOfOne).redirect(first.port());
            Node fresh = nodes.launch("fresh", access(first.port()));
            Awaitility.await("the end of the lease")
                    .atMost(LEASE.multipliedBy(2))
                    .until(() -> !leader.leads());
            assertThat(nodes.overlaps()).as("who led beside each other").isEmpty();
            // The others have seen the second server: they write nothing on the first one.
            Awaitility.await("the fresh one to lead")
                    .atMost(LEASE.multipliedBy(3))
                    .until(fresh::leads);
        }
    }

    /** One of the nodes leads by a record of the second server that was written after that time. */
    private boolean isLedSince(String time) throws SQLException {
        return nodes.leader().isPresent()
                && is(
                        second,
                        "select count(*) > 0 from election where lease_end > timestamptz '" + time + "' + interval '"
                                + LEASE.toSeconds() + " seconds'");
    }

    private static JdbcDatabase access(int port) {
        return JdbcDatabase.at("jdbc:postgresql://127.0.0.1:" + port + "/postgres", PostgresServer.SUPERUSER, "");
    }

    private static boolean is(PostgresServer server, String query) throws SQLException {
        return "t".equals(server.text(query));
    }
}
