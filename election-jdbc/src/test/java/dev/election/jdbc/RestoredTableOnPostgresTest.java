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
import java.util.Locale;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A dump is restored into the server, which runs on: the record of a lease that has ended long ago, by the same leader as now. The leader is
 * cut off meanwhile, and still leads by its last renewal.
 */
@RealTime
@OtherServers
@Execution(ExecutionMode.CONCURRENT)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RestoredTableOnPostgresTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(60);

    @AutoClose
    private static PostgresDatabase server;

    @AutoClose
    private final WatchedNodes nodes = new WatchedNodes(LEASE);

    @BeforeAll
    static void start() throws Exception {
        server = new PostgresDatabase();
    }

    private static JdbcDatabase access(String database, int port) {
        return JdbcDatabase.at("jdbc:postgresql://127.0.0.1:" + port + "/" + database, PostgresServer.SUPERUSER, "");
    }

    /** How a dump is taken and restored. Each has a database of its own. */
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
        /** The database is restored beside the present one, into files of the same names, and takes its name. */
        DATABASE_RENAMED {
            @Override
            void dump() {
                withoutConnections("create database restored template " + database);
            }

            @Override
            void restore() {
                withoutConnections(
                        "alter database " + database + " rename to old",
                        "alter database restored rename to " + database);
            }
        };

        final String database = name().toLowerCase(Locale.ROOT);

        abstract void dump() throws SQLException;

        abstract void restore() throws SQLException;

        /** In the database, in one transaction. */
        void execute(String... statements) throws SQLException {
            try (Connection connection =
                            access(database, server.server().port()).open(SOON);
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                for (String one : statements) {
                    statement.execute(one);
                }
                connection.commit();
            }
        }

        /** While nobody is connected to the database. */
        void withoutConnections(String... statements) {
            String connections = "alter database " + database + " allow_connections ";
            server.execute(
                    connections + "false",
                    "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '" + database + "'");
            server.execute(statements);
            server.execute(connections + "true");
        }
    }

    @ParameterizedTest
    @EnumSource
    void nobody_leads_beside_the_leader_by_the_record_of_a_dump(Restore restore) throws Exception {
        String database = restore.database;
        server.execute("create database " + database);
        try (Link wayOfOne = new Link(server.server().port());
                Link wayOfAnother = new Link(server.server().port())) {
            Node one = nodes.launch("one", access(database, wayOfOne.port()));
            nodes.launch("another", access(database, wayOfAnother.port()));
            nodes.awaitLeader();
            restore.dump();
            awaitEndOfLeases();
            Node leader = nodes.awaitLeader();
            (leader == one ? wayOfOne : wayOfAnother).refuse();
            restore.restore();
            nodes.launch("fresh", access(database, server.server().port()));
            Awaitility.await("the end of the lease")
                    .atMost(LEASE.multipliedBy(2))
                    .until(() -> !leader.leads());
            assertThat(nodes.overlaps()).as("who led beside each other").isEmpty();
            Awaitility.await("somebody to lead").atMost(LEASE.multipliedBy(3)).until(() -> nodes.leader()
                    .isPresent());
        }
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
