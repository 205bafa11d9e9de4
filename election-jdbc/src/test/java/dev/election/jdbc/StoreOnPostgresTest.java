package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.election.StoreProblem;
import dev.election.jdbc.internal.JdbcRecordStore;
import dev.election.record.Continuity;
import dev.election.record.RecordStore;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReplaceOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import dev.election.store.LeaseStore;
import dev.election.testing.OtherServers;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@OtherServers
class StoreOnPostgresTest extends StoreOnDatabaseContract {

    private static final String WAITING = " from pg_stat_activity where wait_event_type = 'Lock'";

    @Override
    TestDatabase open() {
        return new PostgresDatabase();
    }

    @Test
    void the_time_is_that_of_the_statement_whatever_else_the_connection_does() {
        Read first = (Read) ask(records.read("any"));
        Read second = (Read) ask(records.read("any"));
        assertThat(second.origin().clock()).isAfter(first.origin().clock());
    }

    @Test
    void serialization_failures_are_conflicts() throws Exception {
        String url = database.url() + "?options=-c%20default_transaction_isolation=serializable";
        try (JdbcRecordStore one = new JdbcRecordStore(JdbcDatabase.at(url, database.user(), ""), SETTINGS, LEASE)) {
            Stored begun = Objects.requireNonNull(((Written) ask(one.replace("serial", null, "0"))).stored());
            assertThat(begun.version()).isEqualTo("1");
            List<ReplaceOutcome> outcomes = new ArrayList<>();
            for (int round = 0; round < 100; round++) {
                Stored before = Objects.requireNonNull(((Read) ask(one.read("serial"))).stored());
                var first = one.replace("serial", before, "a" + round);
                var second = one.replace("serial", before, "b" + round);
                outcomes.add(ask(first));
                outcomes.add(ask(second));
            }
            assertThat(outcomes).hasOnlyElementsOfTypes(Written.class, Conflict.class);
            assertThat(outcomes.stream().filter(Written.class::isInstance)).hasSize(100);
        }
    }

    /** PostgreSQL only warns of it. */
    @ParameterizedTest
    @ValueSource(strings = {"notice", "error"})
    void a_write_that_no_synchronous_standby_has_confirmed_is_unknown(String messages) {
        String url = database.url() + "?options=-c%20client_min_messages=" + messages;
        Stored before = Objects.requireNonNull(((Written) ask(records.replace("sync" + messages, null, "0"))).stored());
        database.execute("alter system set synchronous_standby_names = 'nobody'", "select pg_reload_conf()");
        try (JdbcRecordStore hasty =
                new JdbcRecordStore(JdbcDatabase.at(url, database.user(), ""), SETTINGS, Duration.ofSeconds(3))) {
            assertThat(ask(hasty.replace("sync" + messages, before, "1")))
                    .isInstanceOfSatisfying(
                            Failed.class,
                            failed -> assertThat(failed.answer().problem()).isEqualTo(StoreProblem.TOO_FEW_REPLICAS));
        } finally {
            database.execute("alter system reset synchronous_standby_names", "select pg_reload_conf()");
        }
    }

    @Test
    void a_row_that_is_locked_is_waited_for_within_the_limit_and_nothing_stays_behind() throws Exception {
        Stored before = Objects.requireNonNull(((Written) ask(records.replace("locked", null, "0"))).stored());
        try (JdbcRecordStore hasty = new JdbcRecordStore(database.access(), SETTINGS, Duration.ofSeconds(3));
                Connection other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from election where name = 'locked' for update");
            assertThat(ask(hasty.replace("locked", before, "1")))
                    .isInstanceOfSatisfying(Failed.class, failed -> assertThat(failed.answer())
                            .satisfies(answer -> assertThat(answer.problem()).isEqualTo(StoreProblem.TIMED_OUT))
                            .satisfies(answer ->
                                    assertThat(answer.action()).endsWith("who holds locks of the table election")));
            assertThat(database.query("select 1" + WAITING)).isEmpty();
            other.rollback();
            assertThat(ask(hasty.replace("locked", before, "1"))).isInstanceOf(Written.class);
        }
    }

    /** A pool may lend connections without a time limit, and within a transaction, which a first attempt that fails would spoil. */
    @Test
    void the_creation_of_the_table_by_another_is_waited_for_within_the_limit() throws Exception {
        JdbcSettings settings = new JdbcSettings(new JdbcTable(null, "together"), TableCreation.ALWAYS, null, 5);
        HikariConfig pool = new HikariConfig();
        pool.setJdbcUrl(database.url());
        pool.setUsername(database.user());
        pool.setAutoCommit(false);
        try (HikariDataSource source = new HikariDataSource(pool);
                JdbcRecordStore hasty = new JdbcRecordStore(JdbcDatabase.of(source), settings, Duration.ofSeconds(3));
                JdbcRecordStore patient = new JdbcRecordStore(JdbcDatabase.of(source), settings, LEASE);
                Connection other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("create table together (like election including all)");
            assertThat(hasty.read("any").toCompletableFuture())
                    .succeedsWithin(Duration.ofSeconds(10))
                    .isInstanceOfSatisfying(
                            Failed.class,
                            failed -> assertThat(failed.answer().problem()).isEqualTo(StoreProblem.TIMED_OUT));
            assertThat(database.query("select 1" + WAITING)).isEmpty();
            var read = patient.read("any");
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !database.query("select 1" + WAITING)
                    .isEmpty());
            other.commit();
            assertThat(ask(read)).isInstanceOf(Read.class);
        }
    }

    @Test
    void a_request_that_has_waited_for_a_connection_for_too_long_is_not_sent() throws Exception {
        Stored before = Objects.requireNonNull(((Written) ask(records.replace("busy", null, "0"))).stored());
        try (JdbcRecordStore hasty = new JdbcRecordStore(database.access(), SETTINGS, Duration.ofSeconds(3));
                Connection other = database.connect()) {
            other.setAutoCommit(false);
            other.createStatement().execute("select * from election where name = 'busy' for update");
            var first = hasty.replace("busy", before, "1");
            var second = hasty.replace("busy", before, "2");
            var third = hasty.read("busy");
            assertThat(ask(first)).isInstanceOf(Failed.class);
            assertThat(ask(second)).isInstanceOf(Failed.class);
            assertThat(ask(third)).isInstanceOfSatisfying(Failed.class, failed -> assertThat(
                            failed.answer().detail())
                    .endsWith("it was not sent"));
        }
    }

    /** The one that was used last is cut off. The other would stay, perhaps at a server that was replaced, until two requests need it. */
    @Test
    void after_a_lost_connection_the_others_are_given_up_and_watchers_hear_of_it() throws Exception {
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        try (JdbcRecordStore store = polling("cut");
                LeaseStore.Subscription watch = store.watch("cut", heard::add)) {
            String connections = " from pg_stat_activity where application_name = 'cut'";
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> {
                Stream.generate(() -> store.read("cut")).limit(20).toList().forEach(StoreOnDatabaseContract::ask);
                return database.query("select pid" + connections).size() == 2;
            });
            ask(store.read("cut"));
            List<List<@Nullable String>> latest = database.query("select pid" + connections + " order by state_change");
            String other = latest.get(0).get(0);
            database.execute("select pg_terminate_backend(" + latest.get(1).get(0) + ")");
            ask(store.read("cut"));
            assertThat(ask(store.read("cut"))).isInstanceOf(Read.class);
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> database.query(
                            "select pid" + connections + " and pid = " + other)
                    .isEmpty());
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> heard.contains(Change.CONNECTION));
        }
    }

    @Test
    void watchers_do_not_hear_of_connections_lost_before_they_came() throws Exception {
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        try (JdbcRecordStore store = polling("earlier")) {
            ask(store.read("later"));
            database.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'earlier'");
            assertThat(ask(store.read("later"))).isInstanceOf(Failed.class);
            try (LeaseStore.Subscription watch = store.watch("later", heard::add)) {
                ask(store.replace("later", null, "text"));
                assertThat(heard.poll(10, TimeUnit.SECONDS)).isEqualTo(Change.TEXT);
            }
        }
    }

    /** A store without notifications, whose connections have that name. */
    private JdbcRecordStore polling(String name) {
        return new JdbcRecordStore(
                JdbcDatabase.at(database.url() + "?ApplicationName=" + name, database.user(), ""),
                new JdbcSettings(
                        JdbcTable.DEFAULT,
                        TableCreation.ALWAYS,
                        Duration.ofSeconds(1),
                        false,
                        5,
                        JdbcSettings.Names.DEFAULT),
                LEASE);
    }

    @Test
    void a_server_in_read_only_mode_gives_no_answer_to_reads_either() {
        String url = database.url() + "?options=-c%20default_transaction_read_only=on";
        try (JdbcRecordStore readOnly =
                new JdbcRecordStore(JdbcDatabase.at(url, database.user(), ""), NO_TABLE, LEASE)) {
            assertThat(problem(readOnly).problem()).isEqualTo(StoreProblem.READ_ONLY);
            assertThat(readOnly.checkUp().toCompletableFuture().join().takesWrites())
                    .isFalse();
        }
    }

    @Test
    void a_user_without_permissions_is_told_what_to_grant() {
        database.execute("create role weak login", "revoke all on election from weak");
        try (JdbcRecordStore weak = new JdbcRecordStore(JdbcDatabase.at(database.url(), "weak", ""), NO_TABLE, LEASE)) {
            assertThat(problem(weak).problem()).isEqualTo(StoreProblem.FORBIDDEN);
            assertThat(problem(weak).action()).contains("grant it select, insert, update and delete");
            database.execute("grant select, update on election to weak");
            assertThat(weak.checkUp().toCompletableFuture().join().refused()).containsExactly("insert", "delete");
            database.execute("grant insert, delete on election to weak");
            assertThat(weak.checkUp().toCompletableFuture().join().refused()).isEmpty();
            Read read = (Read) ask(weak.read("any"));
            assertThat(read.origin().continuity()).isInstanceOf(Continuity.OfIncarnation.class);
        }
    }

    @Test
    void a_user_who_may_not_create_tables_needs_one_that_is_there() {
        JdbcSettings settings = new JdbcSettings(new JdbcTable("others", "votes"), TableCreation.ALWAYS, null, 5);
        database.execute("create role plain login", "create schema others", "grant usage on schema others to plain");
        try (JdbcRecordStore store =
                new JdbcRecordStore(JdbcDatabase.at(database.url(), "plain", ""), settings, LEASE)) {
            assertThat(problem(store).detail()).contains("permission denied for schema others");
            assertThat(problem(store).action())
                    .startsWith("the table others.votes does not exist")
                    .endsWith("with a user that may create tables");
            database.execute(
                    "create table others.votes (like election including all)",
                    "grant select, insert, update, delete on others.votes to plain");
            assertThat(ask(store.read("any"))).isInstanceOf(Read.class);
        }
    }

    @Test
    void a_permission_that_is_revoked_meanwhile_is_noticed() {
        database.execute("create role watched login", "grant select, insert, update, delete on election to watched");
        try (JdbcRecordStore store =
                new JdbcRecordStore(JdbcDatabase.at(database.url(), "watched", ""), NO_TABLE, LEASE)) {
            assertThat(continuity(store)).isInstanceOf(Continuity.OfIncarnation.class);
            database.execute("revoke execute on function pg_walfile_name(pg_lsn) from public");
            assertThat(problem(store).problem()).isEqualTo(StoreProblem.FORBIDDEN);
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> ask(store.read("any")) instanceof Read);
            assertThat(continuity(store)).isInstanceOf(Continuity.OfConnection.class);
        } finally {
            database.execute("grant execute on function pg_walfile_name(pg_lsn) to public");
        }
    }

    /** A function of the same name, which is slow when it is called for the first time. */
    @Test
    void a_question_for_the_incarnation_that_was_only_cancelled_is_asked_again() {
        database.execute(
                "create schema slow",
                "create sequence slow.calls",
                "create function slow.pg_control_system(out system_identifier bigint) language plpgsql as $$ begin"
                        + " if nextval('slow.calls') = 1 then perform pg_sleep(60); end if;"
                        + " system_identifier := 1; end $$");
        String url = database.url() + "?options=-c%20search_path=slow,pg_catalog,public";
        try (JdbcRecordStore store =
                new JdbcRecordStore(JdbcDatabase.at(url, database.user(), ""), NO_TABLE, Duration.ofSeconds(3))) {
            assertThat(problem(store).problem()).isEqualTo(StoreProblem.TIMED_OUT);
            assertThat(continuity(store)).isInstanceOf(Continuity.OfIncarnation.class);
        }
    }

    /** Each request of each election would open one else. */
    @Test
    void a_table_that_is_missing_costs_few_connections() {
        database.execute("create role counted login");
        JdbcSettings settings = new JdbcSettings(new JdbcTable(null, "absent"), TableCreation.NEVER, null, 5);
        try (JdbcRecordStore store =
                new JdbcRecordStore(JdbcDatabase.at(database.url(), "counted", ""), settings, LEASE)) {
            problem(store);
            String connections = "select pid from pg_stat_activity where usename = 'counted' order by pid";
            List<List<@Nullable String>> first = database.query(connections);
            assertThat(first).hasSize(1);
            Stream.generate(() -> store.read("any")).limit(4).toList().forEach(StoreOnDatabaseContract::ask);
            assertThat(database.query(connections)).containsAll(first);
        }
    }

    private static Continuity continuity(RecordStore store) {
        return ((Read) ask(store.read("any"))).origin().continuity();
    }

    @Test
    void a_user_who_may_not_ask_for_the_incarnation_has_that_of_the_connection() {
        database.execute(
                "create role blind login",
                "grant select, insert, update, delete on election to blind",
                "revoke execute on function pg_control_system() from public");
        try (JdbcRecordStore blind =
                new JdbcRecordStore(JdbcDatabase.at(database.url(), "blind", ""), NO_TABLE, LEASE)) {
            Read read = (Read) ask(blind.read("any"));
            assertThat(read.origin().continuity()).isInstanceOf(Continuity.OfConnection.class);
            assertThat(blind.checkUp().toCompletableFuture().join().tellsIncarnation())
                    .isFalse();
        } finally {
            database.execute("grant execute on function pg_control_system() to public");
        }
    }

    @Test
    void a_missing_role_and_a_port_where_nobody_listens_are_told_apart() {
        try (JdbcRecordStore nobody =
                new JdbcRecordStore(JdbcDatabase.at(database.url(), "nobody", ""), NO_TABLE, LEASE)) {
            assertThat(problem(nobody).problem()).isEqualTo(StoreProblem.UNAUTHENTICATED);
        }
        try (JdbcRecordStore nowhere =
                new JdbcRecordStore(JdbcDatabase.at("jdbc:postgresql://localhost:1/db", "a", "b"), NO_TABLE, LEASE)) {
            assertThat(problem(nowhere).problem()).isEqualTo(StoreProblem.UNREACHABLE);
        }
    }

    private static final JdbcSettings NO_TABLE = new JdbcSettings(JdbcTable.DEFAULT, TableCreation.NEVER, null, 5);

    @Test
    void a_commit_that_may_be_lost_is_found() {
        String url = database.url() + "?options=-c%20synchronous_commit=off";
        try (JdbcRecordStore lossy = new JdbcRecordStore(JdbcDatabase.at(url, database.user(), ""), NO_TABLE, LEASE)) {
            assertThat(lossy.checkUp().toCompletableFuture().join().mayLoseCommits())
                    .isEqualTo("synchronous_commit=off");
        }
        assertThat(ask(records.checkUp()).mayLoseCommits()).isEmpty();
        assertThat(ask(records.checkUp()).isPooled()).isFalse();
    }

    @Test
    void a_commit_that_does_not_wait_for_a_synchronous_standby_is_found() {
        String url = database.url() + "?options=-c%20synchronous_commit=local";
        try (JdbcRecordStore local = new JdbcRecordStore(JdbcDatabase.at(url, database.user(), ""), NO_TABLE, LEASE)) {
            assertThat(ask(local.checkUp()).mayLoseCommits()).isEmpty();
            database.execute("alter system set synchronous_standby_names = 'nobody'", "select pg_reload_conf()");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> ask(local.checkUp()).mayLoseCommits().equals("synchronous_commit=local"));
        } finally {
            database.execute("alter system reset synchronous_standby_names", "select pg_reload_conf()");
        }
    }

    /** Of a table without a schema in the name, and of one with. */
    @Test
    void a_schema_is_named_in_every_statement() {
        database.execute("create schema if not exists own");
        JdbcSettings settings = new JdbcSettings(new JdbcTable("own", "votes"), TableCreation.ALWAYS, null, 5);
        try (JdbcRecordStore store = new JdbcRecordStore(database.access(), settings, LEASE)) {
            Stored first = Objects.requireNonNull(((Written) ask(store.replace("a", null, "1"))).stored());
            assertThat(ask(store.replace("a", first, "2"))).isInstanceOf(Written.class);
            assertThat(((RecordStore.Listed) ask(store.list(""))).keys()).containsExactly("a");
            assertThat(database.query("select content from own.votes").get(0)).containsExactly("2");
        }
    }
}
