package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.jdbc.internal.JdbcRecordStore;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.testing.OtherServers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mariadb.jdbc.MariaDbDataSource;

@OtherServers
class StoreOnMariaDbTest extends StoreOnDatabaseContract {

    @Override
    TestDatabase open() {
        try {
            return new MariaDbDatabase();
        } catch (Exception failure) {
            throw new AssertionError("The server did not start", failure);
        }
    }

    /** Else a record that was renewed during the wait would end too late for a request that says when it began to wait. */
    @Test
    void the_time_is_that_after_a_wait_for_the_table() throws Exception {
        try (Connection other = database.connect()) {
            other.createStatement().execute("lock tables election write");
            var one = records.read("any");
            var all = records.readAll("any");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(4))
                    .until(() -> database.query("select id from information_schema.processlist"
                                            + " where state = 'Waiting for table metadata lock'")
                                    .size()
                            == 2);
            Instant unlocked = clock();
            other.createStatement().execute("unlock tables");
            assertThat(((Read) ask(one)).origin().clock()).isAfterOrEqualTo(unlocked);
            assertThat(((ReadAll) ask(all)).origin().clock()).isAfterOrEqualTo(unlocked);
        }
    }

    /** Local time is put forward or back by an hour while the statement runs. */
    @ParameterizedTest
    @ValueSource(strings = {"+", "-"})
    void a_change_to_or_from_summer_time_is_no_time_that_has_passed(String sign) {
        try (JdbcRecordStore store = new JdbcRecordStore(
                JdbcDatabase.of(renaming("sysdate(6)", "(sysdate(6) " + sign + " interval 1 hour)")),
                SETTINGS,
                LEASE)) {
            Instant before = clock();
            assertThat(((Read) ask(store.read("any"))).origin().clock()).isBetween(before, before.plusSeconds(60));
        }
    }

    private Instant clock() {
        String micros = database.query(
                        "select timestampdiff(microsecond, timestamp '1970-01-01 00:00:00', utc_timestamp(6))")
                .get(0)
                .get(0);
        return Instant.EPOCH.plus(Long.parseLong(String.valueOf(micros)), ChronoUnit.MICROS);
    }

    @Test
    void a_server_in_read_only_mode_gives_no_answer_to_reads_either() {
        database.execute("set global read_only = 1");
        try {
            assertThat(problem(records).problem()).isEqualTo(StoreProblem.READ_ONLY);
        } finally {
            database.execute("set global read_only = 0");
        }
    }

    /** Of MariaDB 12 the variable has words for values, as another variable has here. */
    @ParameterizedTest
    @CsvSource({"ON, false", "DEMAND, false", "OFF, true"})
    void a_mode_that_is_a_word_is_read_only_unless_it_is_off(String mode, boolean takesWrites) {
        database.execute("set global query_cache_type = " + mode);
        try (JdbcRecordStore store = new JdbcRecordStore(
                JdbcDatabase.of(renaming("@@global.read_only", "@@global.query_cache_type")), SETTINGS, LEASE)) {
            assertThat(ask(store.checkUp()).takesWrites()).isEqualTo(takesWrites);
            assertThat(ask(store.read("any")) instanceof Read).isEqualTo(takesWrites);
        } finally {
            database.execute("set global query_cache_type = OFF");
        }
    }

    /** Connections whose prepared statements ask for something else. */
    private DataSource renaming(String name, String other) {
        return new MariaDbDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = database.connect();
                return (Connection) Proxy.newProxyInstance(
                        StoreOnMariaDbTest.class.getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("prepareStatement")) {
                                return connection.prepareStatement(
                                        arguments[0].toString().replace(name, other));
                            }
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException failure) {
                                throw failure.getCause();
                            }
                        });
            }
        };
    }

    @Test
    void a_session_that_allows_safe_updates_only_is_enough() {
        String url = database.url() + "?sessionVariables=sql_safe_updates=1";
        try (JdbcRecordStore store = new JdbcRecordStore(JdbcDatabase.at(url, database.user(), ""), SETTINGS, LEASE)) {
            assertThat(ask(store.checkUp()).refused()).isEmpty();
        }
    }
}
