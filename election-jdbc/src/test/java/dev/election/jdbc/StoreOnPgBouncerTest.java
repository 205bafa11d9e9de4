package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.jdbc.internal.JdbcRecordStore;
import dev.election.testing.LoggedLines;
import dev.election.testing.OtherServers;
import java.io.IOException;
import java.time.Duration;
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
