package com.example.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import dev.election.harness.PostgresServer;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.TemporaryFolders;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A migration that runs once for all processes, whose runner is disturbed in the middle: the next one ends it, and nobody migrates again. */
@Tag("kills-processes")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KilledMigrationTest {

    /** Generous: others may use the machine as well. */
    private static final Duration SOON = Duration.ofMinutes(2);

    private final Children children = new Children();
    private final RedisProcess redis = new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0));
    private final PostgresServer database = new PostgresServer(children, TemporaryFolders.create("election-postgres-"));

    @AfterEach
    void stop() {
        children.close();
        database.close();
        redis.close();
    }

    /**
     * A runner that goes on after a pause has lost its lease: the lock of Flyway keeps it and the next one apart. One that should end does so when
     * its statement has ended, and leads until then.
     */
    @ParameterizedTest
    @ValueSource(strings = {"KILL", "TERM", "STOP"})
    void the_next_process_ends_a_migration_of_flyway(String signal) throws SQLException {
        disturbRunner(
                signal, "--spring.liquibase.enabled=false", "--spring.flyway.postgresql.transactional-lock=false");

        assertThat(database.text("select string_agg(version, ' ' order by installed_rank) from flyway_schema_history"
                        + " where success"))
                .isEqualTo("1 2");
    }

    @Test
    void the_next_process_ends_a_migration_of_liquibase_although_its_lock_stays_behind() throws SQLException {
        disturbRunner("KILL", "--spring.flyway.enabled=false", "--migrations.changes=true");

        assertThat(database.text("select string_agg(id, ' ' order by orderexecuted) from databasechangelog"))
                .isEqualTo("1 2");
    }

    private void disturbRunner(String signal, String... options) throws SQLException {
        database.execute("create schema test", "create table test.gate (passed int)");
        try (Connection test = database.connect();
                Statement gate = test.createStatement()) {
            test.setAutoCommit(false);
            gate.execute("lock table test.gate in access exclusive mode");
            Replica first = new Replica(options);
            first.await("Runs the task");
            Awaitility.await("the migration is in the middle").atMost(SOON).until(() -> database.text(
                            "select count(*) from pg_locks where not granted")
                    .equals("1"));
            Replica second = new Replica(options);
            second.await("Waits for the task");
            first.process.signal(signal);

            if (!signal.equals("TERM")) {
                second.await("Runs the task");
            }
            test.rollback();
            first.process.signal("CONT");
            second.await(MigratingApplication.READY);
        }
        Replica third = new Replica(options);
        third.await(MigratingApplication.READY);

        assertThat(third.lines).noneMatch(line -> line.contains("Runs the task"));
        assertThat(database.text("select count(*) from test.gate")).isEqualTo("1");
        assertThat(database.text("select indisvalid from pg_index where indexrelid = 'orders_by_id'::regclass"))
                .isEqualTo("t");
    }

    /** A process of the application. */
    private final class Replica {

        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final JvmProcess process;

        /** Whether all lines have been read. A process may end before its last ones are. */
        private volatile boolean ended;

        Replica(String... options) {
            List<String> arguments = new ArrayList<>(List.of(options));
            arguments.addAll(List.of(
                    "--election.lease=3s",
                    "--spring.data.redis.port=" + redis.port(),
                    "--spring.datasource.username=" + PostgresServer.SUPERUSER,
                    "--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + database.port() + "/postgres"));
            process = new JvmProcess(
                    "replica",
                    children,
                    JvmProcess.builder(JvmProcess.QUICK_START, MigratingApplication.class, arguments)
                            .redirectErrorStream(true));
            process.listen(lines::add, () -> ended = true);
        }

        void await(String text) {
            Awaitility.await(text)
                    .atMost(SOON)
                    .failFast(() -> assertThat(!ended || hasSaid(text))
                            .as(String.join("\n", lines))
                            .isTrue())
                    .until(() -> hasSaid(text));
        }

        private boolean hasSaid(String text) {
            return lines.stream().anyMatch(line -> line.contains(text));
        }
    }
}
