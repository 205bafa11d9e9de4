package dev.election.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.jdbc.JdbcDatabase;
import dev.election.jdbc.JdbcSettings;
import dev.election.jdbc.JdbcTable;
import dev.election.jdbc.TableCreation;
import dev.election.record.RecordStore.Change;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The poll is a minute away: a test asks by hand. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KeyWatchTest {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final JdbcDatabase database =
            JdbcDatabase.at("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    private static final JdbcSettings SETTINGS = new JdbcSettings(JdbcTable.DEFAULT, TableCreation.ALWAYS, null, 0);

    private final Requests requests = new Requests(database, SETTINGS, LIMIT, true);
    private final KeyWatch watch = new KeyWatch(requests, Duration.ofMinutes(1));
    private final BlockingQueue<Change> told = new LinkedBlockingQueue<>();

    @AfterEach
    void close() throws Exception {
        watch.close();
        requests.close();
        execute("shutdown");
    }

    private void execute(String sql) throws Exception {
        try (Connection connection = database.open(LIMIT);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private Change next() throws InterruptedException {
        return told.poll(10, TimeUnit.SECONDS);
    }

    /** Nothing else would repeat a read that has failed after a notification. */
    @Test
    void what_was_heard_is_told_again_by_the_next_poll_and_by_no_other() throws Exception {
        requests.ask(session -> "", failure -> "").toCompletableFuture().join();
        execute("insert into election (name, content, version, news) values ('e', '', 1, '7')");
        watch.add("e", told::add);
        watch.received("e", "7");
        assertThat(next()).isEqualTo(Change.TEXT);
        watch.mayHaveMissed();
        assertThat(next()).isEqualTo(Change.TEXT);
        watch.received("e", "7");
        assertThat(told).isEmpty();
    }

    @Test
    void notifications_without_news_are_told_to_nobody_and_looked_into_ever_less_often() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        JdbcDatabase counted = JdbcDatabase.of(counting(looks));
        try (Requests own = new Requests(counted, SETTINGS, LIMIT, true);
                KeyWatch flooded = new KeyWatch(own, Duration.ofMinutes(1))) {
            own.ask(session -> "", failure -> "").toCompletableFuture().join();
            execute("insert into election (name, content, version, news) values ('e', '', 1, '7')");
            flooded.add("e", told::add);
            flooded.received("e", "7");
            assertThat(next()).isEqualTo(Change.TEXT);
            int before = looks.get();
            long began = System.nanoTime();
            for (int i = 0; looks.get() < before + 5; i++) {
                flooded.received("e", "forged-" + i);
            }
            // The first follows at once, then there are 10, 20, 40 and 80 ms between.
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(150));
            assertThat(told).isEmpty();
            execute("update election set news = '8' where name = 'e'");
            flooded.received("e", "8");
            assertThat(next()).isEqualTo(Change.TEXT);
        }
    }

    private DataSource counting(AtomicInteger polls) {
        return proxy(DataSource.class, (method, arguments) -> {
            Connection connection = database.open(LIMIT);
            return proxy(Connection.class, (asked, given) -> {
                boolean isPoll = asked.getName().equals("prepareStatement")
                        && String.valueOf(given[0]).startsWith("select name, news ");
                polls.addAndGet(isPoll ? 1 : 0);
                return asked.invoke(connection, given);
            });
        });
    }

    private interface Answer {

        Object to(Method method, Object[] arguments) throws Exception;
    }

    private static <T> T proxy(Class<T> type, Answer answer) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answer.to(method, arguments)));
    }
}
