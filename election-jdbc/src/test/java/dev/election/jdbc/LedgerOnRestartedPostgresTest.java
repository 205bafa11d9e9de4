package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.harness.Children;
import dev.election.harness.PostgresServer;
import dev.election.harness.TemporaryFolders;
import dev.election.jdbc.internal.JdbcRecordStore;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.LedgerStore;
import dev.election.testing.OtherServers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledger of a leader that another process opens after a restart of the server. */
@OtherServers
@Execution(ExecutionMode.CONCURRENT)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LedgerOnRestartedPostgresTest {

    private static final FencingToken FIRST = new FencingToken(10);
    private static final FencingToken SECOND = new FencingToken(20);

    /** A process, as the server sees it. */
    private record Process(JdbcRecordStore records, LedgerStore ledger) implements AutoCloseable {

        static Process at(PostgresServer server) {
            String url = "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres";
            JdbcRecordStore records = new JdbcRecordStore(
                    JdbcDatabase.at(url, PostgresServer.SUPERUSER, ""),
                    new JdbcSettings(JdbcTable.DEFAULT, TableCreation.ALWAYS, Duration.ofMillis(50), 5),
                    Duration.ofSeconds(15));
            return new Process(
                    records,
                    new RecordLeaseStore(records, "", new LeaseRules(5))
                            .ledgerStore()
                            .orElseThrow());
        }

        /** Opens the ledger as soon as the server answers. Returns since when it has lost nothing. */
        Instant intactSince(FencingToken token) {
            LedgerStore.OpenReply reply = Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> ask(ledger.open("e", token)), LedgerStore.Opened.class::isInstance);
            LedgerStore.Opened opened = (LedgerStore.Opened) reply;
            return opened.at().minus(opened.intactFor());
        }

        /** Begins the ledger. Returns since when it has lost nothing, to the millisecond that it records. */
        Instant begin() {
            return intactSince(FIRST).truncatedTo(ChronoUnit.MILLIS);
        }

        void write(FencingToken token, String slot) {
            assertThat(ask(ledger.write("e", token, Map.of("slot", slot), Set.of())))
                    .isInstanceOf(LedgerStore.Written.class);
        }

        @Override
        public void close() {
            records.close();
        }
    }

    private static <T> T ask(CompletionStage<T> reply) {
        return reply.toCompletableFuture().join();
    }

    private static PostgresServer start(String... options) {
        return new PostgresServer(Children.OF_THIS_JVM, TemporaryFolders.create("pg"), options);
    }

    @Test
    void has_lost_nothing_for_a_process_that_has_seen_the_server_before() {
        try (PostgresServer server = start();
                Process leader = Process.at(server);
                Process follower = Process.at(server);
                Process fresh = Process.at(server)) {
            Instant since = leader.begin();
            assertThat(follower.intactSince(FIRST)).isEqualTo(since);
            leader.write(FIRST, "1");

            server.kill();
            server.restart();

            assertThat(follower.intactSince(SECOND)).isEqualTo(since);
            assertThat(ask(follower.ledger.read("e"))).isEqualTo(new LedgerStore.Contents(Map.of("slot", "1")));
            assertThat(fresh.intactSince(SECOND))
                    .as("what the follower has found counts for all")
                    .isEqualTo(since);
        }
    }

    @Test
    void may_have_lost_something_for_a_process_that_has_not_seen_the_server_before() {
        try (PostgresServer server = start();
                Process leader = Process.at(server);
                Process fresh = Process.at(server)) {
            Instant since = leader.begin();

            server.kill();
            server.restart();

            assertThat(fresh.intactSince(SECOND)).isAfter(since.plus(LedgerStore.CLOCKS_APART));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fsync=off", "synchronous_commit=off"})
    void may_have_lost_something_in_a_server_that_loses_commits(String option) throws Exception {
        try (PostgresServer server = start(option);
                Process leader = Process.at(server)) {
            Instant since = leader.begin();
            server.execute("checkpoint");

            server.kill();
            server.restart();

            assertThat(leader.intactSince(SECOND)).isAfter(since.plus(LedgerStore.CLOCKS_APART));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void may_have_lost_something_where_a_standby_may_have_taken_the_place_of_the_server(boolean isThere)
            throws Exception {
        try (PostgresServer server = start();
                PostgresServer standby = start();
                Process leader = Process.at(server)) {
            if (isThere) {
                standby.kill();
                standby.follow(server, server.port());
                Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !server.text(
                                "select count(*) from pg_stat_replication")
                        .equals("0"));
            } else {
                server.execute("select pg_create_physical_replication_slot('standby')");
            }
            Instant since = leader.begin();

            server.kill();
            server.restart();

            assertThat(leader.intactSince(SECOND)).isAfter(since.plus(LedgerStore.CLOCKS_APART));
        }
    }

    @Test
    void may_have_lost_something_if_the_server_goes_on_with_a_copy_of_its_files() throws Exception {
        try (PostgresServer server = start();
                Process leader = Process.at(server);
                Process follower = Process.at(server)) {
            Instant since = leader.begin();
            Path copy = TemporaryFolders.create("pg").resolve("data");
            server.backUp(copy);
            leader.write(FIRST, "1");
            assertThat(follower.intactSince(FIRST)).isEqualTo(since);

            server.kill();
            server.restart(copy);

            assertThat(follower.intactSince(SECOND)).isAfter(since.plus(LedgerStore.CLOCKS_APART));
            assertThat(ask(follower.ledger.read("e"))).isEqualTo(new LedgerStore.Contents(Map.of()));
        }
    }
}
