package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.TemporaryFolders;
import dev.election.testing.KillsProcesses;
import dev.election.testing.OtherServers;
import dev.election.testing.RealTime;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The URL names two servers that are no copies of each other, as while a major version is replaced: the driver always takes the first one as
 * long as that is there, and so has every build before.
 */
@RealTime
@OtherServers
@KillsProcesses
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OtherSystemOnPostgresTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

    @AutoClose
    private static EmbeddedPostgres first;

    @AutoClose
    private static EmbeddedPostgres second;

    @BeforeAll
    static void start() throws Exception {
        first = EmbeddedPostgres.builder()
                .setDataDirectory(TemporaryFolders.create("pg").resolve("data"))
                .start();
        second = EmbeddedPostgres.builder()
                .setDataDirectory(TemporaryFolders.create("pg").resolve("data"))
                .start();
    }

    private static JdbcDatabase access(String application) {
        return JdbcDatabase.at(
                "jdbc:postgresql://127.0.0.1:" + first.getPort() + ",127.0.0.1:" + second.getPort()
                        + "/postgres?ApplicationName=" + application,
                "postgres",
                "");
    }

    @Test
    void a_follower_whose_connections_end_does_not_lead_beside_the_leader() throws Exception {
        try (WatchedNodes nodes = new WatchedNodes(LEASE)) {
            nodes.launch("one", access("one"));
            nodes.launch("another", access("another"));
            String leader = nodes.awaitLeader().id();
            WatchedNodes.pass(LEASE);
            String follower = leader.equals("one") ? "another" : "one";
            assertThat(tables(second)).as("table at the second server").isEqualTo(0);
            try (Connection connection = first.getPostgresDatabase().getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("select pg_terminate_backend(pid) from pg_stat_activity where application_name = '"
                        + follower + "'");
            }
            WatchedNodes.pass(LEASE.multipliedBy(4));
            assertThat(nodes.overlaps()).as("who led beside each other").isEmpty();
        }
    }

    private static long tables(EmbeddedPostgres server) throws Exception {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from pg_class where relname = 'election' and relkind = 'r'")) {
            row.next();
            return row.getLong(1);
        }
    }
}
