package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Link;
import dev.election.harness.PostgresServer;
import dev.election.jdbc.WatchedNodes.Node;
import dev.election.testing.OtherServers;
import dev.election.testing.RealTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A dump is restored into the server, which runs on: the record of a lease that has ended long ago, by the same leader as now. The leader is
 * cut off meanwhile, and still leads by its last renewal.
 */
@RealTime
@OtherServers
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RestoredTableOnPostgresTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String DATABASE = "application";

    private static PostgresDatabase server;

    private final WatchedNodes nodes = new WatchedNodes(LEASE);
    private Link wayOfOne;
    private Link wayOfAnother;

    @BeforeAll
    static void startServer() throws Exception {
        server = new PostgresDatabase();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @BeforeEach
    void createDatabase() {
        server.execute("create database " + DATABASE);
        wayOfOne = new Link(server.server().port());
        wayOfAnother = new Link(server.server().port());
    }

    @AfterEach
    void dropDatabases() {
        nodes.close();
        wayOfOne.close();
        wayOfAnother.close();
        server.execute(
                "drop database if exists " + DATABASE + " with (force)", "drop database if exists old with (force)");
    }

    private static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
    }

    private static JdbcDatabase access(int port) {
        return JdbcDatabase.at(url(port), PostgresServer.SUPERUSER, "");
    }

    /** How a dump is taken and restored. */
    enum Restore {
        /** As {@code pg_restore --clean} does. */
        IN_PLACE {
            @Override
            void dump() throws SQLException {
                execute("create table dump as table election");
            }

            @Override
            void restore() throws SQLException {
                execute(
                        "create table fresh (like election including all)",
                        "drop table election",
                        "alter table fresh rename to election",
                        "insert into election table dump");
            }
        },
        /** The table is restored beside the present one, and takes its name. */
        TABLE_RENAMED {
            @Override
            void dump() throws SQLException {
                execute("create table restored (like election including all)", "insert into restored table election");
            }

            @Override
            void restore() throws SQLException {
                execute("alter table election rename to old", "alter table restored rename to election");
            }
        },
        /** The database is restored beside the present one, with the same files, and takes its name. */
        DATABASE_RENAMED {
            @Override
            void dump() {
                server.execute(
                        "alter database application allow_connections false",
                        END_CONNECTIONS,
                        "create database restored template application",
                        "alter database application allow_connections true");
            }

            @Override
            void restore() {
                server.execute(
                        "alter database application allow_connections false",
                        END_CONNECTIONS,
                        "alter database application rename to old",
                        "alter database restored rename to application",
                        "alter database application allow_connections true");
            }
        };

        private static final String END_CONNECTIONS =
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'application'";

        abstract void dump() throws SQLException;

        abstract void restore() throws SQLException;

        /** In one transaction. */
        private static void execute(String... statements) throws SQLException {
            try (Connection connection = access(server.server().port()).open(SOON);
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                for (String one : statements) {
                    statement.execute(one);
                }
                connection.commit();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void nobody_leads_beside_the_leader_by_the_record_of_a_dump(Restore restore) throws Exception {
        Node one = nodes.launch("one", access(wayOfOne.port()));
        nodes.launch("another", access(wayOfAnother.port()));
        nodes.awaitLeader();
        restore.dump();
        awaitEndOfLeases();
        Node leader = nodes.awaitLeader();
        (leader == one ? wayOfOne : wayOfAnother).refuse();
        restore.restore();
        nodes.launch("fresh", access(server.server().port()));
        Awaitility.await("the end of the lease").atMost(LEASE.multipliedBy(2)).until(() -> !leader.leads());
        assertThat(nodes.overlaps()).as("who led beside each other").isEmpty();
        Awaitility.await("somebody to lead").atMost(LEASE.multipliedBy(3)).until(() -> nodes.leader()
                .isPresent());
    }

    /** Of those that are there now. */
    private static void awaitEndOfLeases() {
        String end = text("select clock_timestamp() + interval '" + LEASE.toSeconds() + " seconds'");
        Awaitility.await("the end of the lease in the dump").atMost(SOON).until(() -> "t"
                .equals(text("select clock_timestamp() > timestamptz '" + end + "'")));
    }

    private static @Nullable String text(String query) {
        return server.query(query).get(0).get(0);
    }
}
