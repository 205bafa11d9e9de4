package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.PostgresServer;
import dev.election.harness.TemporaryFolders;
import dev.election.testing.KillsProcesses;
import dev.election.testing.OtherServers;
import dev.election.testing.RealTime;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The URL of both nodes names both servers. The second one is promoted while the first one goes on. The leader can't reach the first one any
 * more, and leads on at the second. The connections of the follower to the first one are older than the promotion.
 */
@RealTime
@OtherServers
@KillsProcesses
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OldConnectionOnPostgresTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(60);

    @AutoClose
    private static PostgresServer old;

    @AutoClose
    private static PostgresServer promoted;

    @BeforeAll
    static void start() throws Exception {
        old = new PostgresServer(Children.OF_THIS_JVM, TemporaryFolders.create("pg"));
        promoted = new PostgresServer(Children.OF_THIS_JVM, TemporaryFolders.create("pg"));
        promoted.kill();
        promoted.follow(old, old.port());
        old.execute("create role one login superuser", "create role another login superuser");
    }

    private static JdbcDatabase access(String user) {
        return JdbcDatabase.at(
                "jdbc:postgresql://127.0.0.1:" + old.port() + ",127.0.0.1:" + promoted.port()
                        + "/postgres?ApplicationName=" + user,
                user,
                "");
    }

    @Test
    void a_follower_that_can_reach_both_servers_does_not_lead_at_the_old_one_beside_the_leader_at_the_promoted_one()
            throws Exception {
        try (WatchedNodes nodes = new WatchedNodes(LEASE)) {
            nodes.launch("one", access("one"));
            nodes.launch("another", access("another"));
            String leader = nodes.awaitLeader().id();
            Awaitility.await("replication").atMost(SOON).ignoreExceptions().until(() -> "t"
                    .equals(promoted.text("select count(*) > 0 from election where holder is not null")));
            WatchedNodes.pass(LEASE);
            promoted.promote();
            // The leader is cut off from the old server.
            old.execute("alter role " + leader + " nologin");
            old.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = '" + leader + "'");
            WatchedNodes.pass(LEASE.multipliedBy(4));
            assertThat(nodes.overlaps()).as("who led beside each other").isEmpty();
        }
    }
}
