package dev.election.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.jdbc.JdbcDatabase;
import dev.election.jdbc.JdbcTable;
import dev.election.jdbc.internal.NewsListener.Listening;
import dev.election.jdbc.internal.NewsListener.Receiver;
import dev.election.testing.LoggedLines;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** Over a database that a test plays. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NewsListenerTest {

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election.jdbc.internal");

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final Queue<Source> connections = new ArrayDeque<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean isAway;

    @AutoClose
    private NewsListener listener = listener(false);

    private NewsListener listener(boolean isWanted) {
        return new NewsListener(
                new NewsListener.Source() {
                    @Override
                    public Listening open() throws SQLException {
                        return connections.remove().open();
                    }

                    @Override
                    public boolean isAway() {
                        return isAway;
                    }
                },
                receiver(),
                Duration.ofSeconds(5),
                isWanted,
                Duration.ofMillis(1),
                task -> {
                    Thread thread = new Thread(task);
                    threads.add(thread);
                    return thread;
                });
    }

    @FunctionalInterface
    private interface Source extends NewsListener.Source {}

    private Receiver receiver() {
        return new Receiver() {
            @Override
            public void received(String key, String news) {
                heard.add(key + ": " + news);
            }

            @Override
            public void mayHaveMissed() {
                heard.add("missed");
            }
        };
    }

    /** Tells one thing, and is lost. */
    private static Listening telling(String news) {
        return new Listening() {
            private boolean isTold;

            @Override
            public void await(Receiver receiver) throws SQLException {
                if (isTold) {
                    throw new SQLException("lost");
                }
                receiver.received("e", news);
                isTold = true;
            }

            @Override
            public void close() {}
        };
    }

    /** Is silent until it is closed. */
    private static Listening silent() {
        CountDownLatch closed = new CountDownLatch(1);
        return new Listening() {
            @Override
            public void await(Receiver receiver) throws SQLException {
                try {
                    closed.await();
                } catch (InterruptedException impossible) {
                    throw new AssertionError(impossible);
                }
                throw new SQLException("closed");
            }

            @Override
            public void close() {
                closed.countDown();
            }
        };
    }

    private static Listening refused() throws SQLException {
        throw new SQLException("refused");
    }

    /** A request finds that the server was replaced while the listener still connects to the same server. */
    @Test
    void a_connection_that_was_being_opened_while_its_server_was_found_to_be_replaced_is_replaced() throws Exception {
        connections.add(() -> {
            listener.reopen();
            return silent();
        });
        connections.add(() -> telling("from the new server"));
        connections.add(NewsListenerTest::never);
        listener.start();
        assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("missed");
        assertThat(heard.poll(5, TimeUnit.SECONDS)).as("of another connection").isNotNull();
    }

    private static Listening never() throws SQLException {
        throw new SQLFeatureNotSupportedException("never");
    }

    private void awaitEnd() throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(10_000);
            assertThat(thread.isAlive()).as("the thread lives on").isFalse();
        }
    }

    private String next() throws InterruptedException {
        return Objects.requireNonNull(heard.poll(10, TimeUnit.SECONDS), "nothing was heard");
    }

    @Test
    void a_connection_is_replaced_and_its_loss_is_logged_once_however_often_that_fails_and_so_is_its_end()
            throws Exception {
        connections.add(() -> telling("1"));
        connections.add(NewsListenerTest::refused);
        connections.add(NewsListenerTest::refused);
        connections.add(() -> telling("2"));
        connections.add(NewsListenerTest::silent);
        listener.start();
        assertThat(List.of(next(), next(), next(), next(), next()))
                .containsExactly("missed", "e: 1", "missed", "e: 2", "missed");
        String line = "WARN Failed to listen to the database, so news take up to 5 s until a retry succeeds: lost";
        assertThat(log.withLevels()).containsExactly(line, "INFO Listening to the database again", line);
    }

    @Test
    void of_a_database_that_answers_nothing_else_either_the_elections_tell() throws Exception {
        for (int i = 0; i < 3; i++) {
            connections.add(NewsListenerTest::refused);
        }
        connections.add(NewsListenerTest::silent);
        isAway = true;
        listener.start();
        assertThat(next()).isEqualTo("missed");
        assertThat(log.withLevels()).isEmpty();
    }

    @Test
    void what_will_never_work_is_not_tried_again() throws Exception {
        connections.add(() -> {
            throw new SQLFeatureNotSupportedException("there is a pooler");
        });
        listener.start();
        awaitEnd();
        listener.start();
        assertThat(threads).hasSize(1);
        assertThat(log.withLevels())
                .containsExactly("INFO Not listening to the database, so news take up to 5 s: there is a pooler");
    }

    @Test
    void who_wants_to_listen_is_warned_that_it_will_never_work() throws Exception {
        listener = listener(true);
        connections.add(() -> {
            throw new NoClassDefFoundError("org/postgresql/PGConnection");
        });
        listener.start();
        awaitEnd();
        assertThat(log.withLevels())
                .containsExactly("WARN Not listening to the database, so news take up to 5 s: the driver of PostgreSQL"
                        + " is missing");
    }

    @Test
    void a_close_ends_the_wait_and_says_nothing() throws Exception {
        connections.add(NewsListenerTest::silent);
        listener.start();
        assertThat(next()).isEqualTo("missed");
        listener.close();
        awaitEnd();
        assertThat(log.withLevels()).isEmpty();
    }

    /** A connection may be cut off without a word. */
    @Test
    void a_silent_connection_that_is_not_valid_is_given_up() {
        PGConnection driver = fake(PGConnection.class, "getNotifications", new PGNotification[0]);
        Connection lost = fake(Connection.class, "isValid", false);
        assertThatThrownBy(() -> new PostgresNotifications(lost, driver, 1).await(receiver()))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("lost silently");
        Connection idle = fake(Connection.class, "isValid", true);
        assertThatCode(() -> new PostgresNotifications(idle, driver, 1).await(receiver()))
                .doesNotThrowAnyException();
    }

    /** A pool may give connections without a time limit for answers. */
    @Test
    void an_answer_is_waited_for_within_a_limit_from_the_first_statement_on() {
        List<String> called = new ArrayList<>();
        PGConnection driver = fake(PGConnection.class, "none", "none");
        Connection connection = (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    called.add(method.getName());
                    return switch (method.getName()) {
                        case "isWrapperFor" -> true;
                        case "unwrap" -> driver;
                        case "createStatement" -> throw new SQLException("no answer");
                        default -> null;
                    };
                });
        DataSource source = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> connection);
        assertThatThrownBy(() ->
                        PostgresNotifications.open(JdbcDatabase.of(source), JdbcTable.DEFAULT, Duration.ofSeconds(5)))
                .hasMessage("no answer");
        assertThat(called).containsSubsequence("setNetworkTimeout", "createStatement", "close");
    }

    private static <T> T fake(Class<T> type, String name, Object answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo(name);
                    return answer;
                }));
    }
}
