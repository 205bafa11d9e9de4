package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.jdbc.internal.JdbcRecordStore;
import dev.election.record.Continuity;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.testing.LoggedLines;
import dev.election.testing.OtherServers;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

@OtherServers
class StoreOnPgBouncerTest extends StoreOnDatabaseContract {

    @Override
    TestDatabase open() {
        try {
            return new PgBouncerDatabase();
        } catch (IOException failure) {
            throw new AssertionError("The pooler did not start", failure);
        }
    }

    /** The pooler keeps the connection, and the user may not ask for the incarnation: a function of the same name refuses. */
    @Test
    void a_promoted_standby_behind_it_is_another_one_for_a_user_who_may_not_ask_for_the_incarnation() throws Exception {
        try (PgBouncerDatabase own = new PgBouncerDatabase()) {
            own.direct()
                    .execute(
                            "create schema blind",
                            "create function blind.pg_control_system(out system_identifier bigint) language plpgsql as"
                                    + " $$ begin raise exception 'no' using errcode = 'insufficient_privilege'; end $$",
                            "alter role postgres set search_path = blind, pg_catalog, public",
                            "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend'"
                                    + " and pid <> pg_backend_pid()");
            try (JdbcRecordStore store = new JdbcRecordStore(own.access(), SETTINGS, LEASE)) {
                Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> ask(store.read("any")) instanceof Read);
                Continuity before = ((Read) ask(store.read("any"))).origin().continuity();
                assertThat(before).isInstanceOf(Continuity.OfConnection.class);
                assertThat(((Read) ask(store.read("any"))).origin().continuity())
                        .isEqualTo(before);
                own.detachStandby();
                own.promoteStandby();
                // The connection is not asked meanwhile, or it would be replaced.
                Awaitility.await()
                        .atMost(Duration.ofSeconds(30))
                        .ignoreExceptions()
                        .until(() -> own.query("select 1").size() == 1);
                assertThat(((Read) ask(store.read("any"))).origin().continuity())
                        .isInstanceOf(Continuity.OfConnection.class)
                        .isNotEqualTo(before);
            }
        }
    }

    @Test
    void what_another_client_sets_counts_unless_the_schema_is_set_and_the_check_tells_of_the_pooler() throws Exception {
        JdbcSettings named = new JdbcSettings(new JdbcTable("public", "election"), TableCreation.NEVER, null, 5);
        inAllSessions("set search_path = nowhere");
        try (JdbcRecordStore unnamed = new JdbcRecordStore(database.access(), NO_TABLE, LEASE);
                JdbcRecordStore store = new JdbcRecordStore(database.access(), named, LEASE)) {
            assertThat(ask(unnamed.read("any"))).isInstanceOf(Failed.class);
            assertThat(ask(store.read("any"))).isInstanceOf(Read.class);
            inAllSessions("set synchronous_commit = off");
            assertThat(ask(store.checkUp()).mayLoseCommits()).isEqualTo("synchronous_commit=off");
            assertThat(ask(store.checkUp()).isPooled()).isTrue();
        } finally {
            inAllSessions("reset all");
        }
    }

    /** A transaction holds a session of the server until it ends. */
    private void inAllSessions(String... statements) throws Exception {
        try (Connection one = database.connect();
                Connection other = database.connect()) {
            for (Connection client : List.of(one, other)) {
                client.setAutoCommit(false);
                try (Statement statement = client.createStatement()) {
                    for (String sql : statements) {
                        statement.execute(sql);
                    }
                }
            }
            one.commit();
            other.commit();
        }
    }

    private static final JdbcSettings NO_TABLE = new JdbcSettings(JdbcTable.DEFAULT, TableCreation.NEVER, null, 5);

    /** A session that listens would be that of others, too. */
    @Test
    void it_is_noticed_and_no_session_of_the_server_listens() {
        try (LoggedLines log = new LoggedLines("dev.election.jdbc");
                JdbcRecordStore store = new JdbcRecordStore(database.access(), SETTINGS, LEASE)) {
            store.watch("any", change -> {});
            Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(log.withLevels())
                    .contains("INFO Not listening to the database, so news take up to 50 ms: there is a connection"
                            + " pooler between"));
        }
        assertThat(((PgBouncerDatabase) database)
                        .direct()
                        .query("select pid from pg_stat_activity where query like 'listen%'"))
                .isEmpty();
    }
}
