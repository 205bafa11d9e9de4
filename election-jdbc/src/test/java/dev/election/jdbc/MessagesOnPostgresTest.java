package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.store.AnnounceReply;
import dev.election.store.LeaseStore;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberStore;
import dev.election.store.test.MemberMessagingContract;
import dev.election.testing.OtherServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Messages of members in the rows of PostgreSQL: who listens gets them at once; a poll would find them a minute later. */
@OtherServers
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MessagesOnPostgresTest implements MemberMessagingContract {

    private static final Duration NEVER = Duration.ofMinutes(1);

    @AutoClose
    private static PostgresDatabase database;

    private final List<JdbcLeaseStore> stores = new ArrayList<>();
    private final JdbcLeaseStore store = store(NEVER, null);

    @BeforeAll
    static void start() throws Exception {
        database = new PostgresDatabase();
    }

    @AfterEach
    void close() {
        stores.forEach(JdbcLeaseStore::close);
        database.execute("delete from election");
    }

    @Override
    public LeaseStore store() {
        return store;
    }

    @Test
    void a_notification_of_another_role_passes_on_nothing_and_a_row_needs_a_grant() throws Exception {
        BlockingQueue<MemberMessage> heard = hear(store, "a");
        database.execute("create role stranger login", "grant connect on database postgres to stranger");
        try (var connection = JdbcDatabase.at(database.url(), "stranger", "").open(Duration.ofSeconds(10));
                var statement = connection.createStatement()) {
            statement.execute("select pg_notify('election', 'forged.1 messages/a')");
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> statement.execute(
                            "update election set content = 'messages 1' || chr(10) || 'x 1 1 forged'"))
                    .hasMessageContaining("permission denied");
        }
        send("a", "real");
        assertThat(next(heard)).isEqualTo("real");
    }

    @Test
    void two_processes_hear_each_other_and_a_text_to_all_in_order() throws Exception {
        JdbcLeaseStore other = store(NEVER, null);
        BlockingQueue<MemberMessage> heard = hear(store, "a");
        hear(other, "b");
        for (int i = 0; i < 100; i++) {
            String text = Integer.toString(i);
            var unused = i % 2 == 0
                    ? messaging(other).sendToAll(text)
                    : messaging(other).send("a", text);
        }
        for (int i = 0; i < 100; i++) {
            assertThat(next(heard)).isEqualTo(Integer.toString(i));
        }
    }

    @Test
    void the_poll_finds_once_what_was_sent_while_the_connection_that_listens_was_lost() throws Exception {
        JdbcLeaseStore polls = store(Duration.ofMillis(200), null);
        BlockingQueue<MemberMessage> heard = hear(polls, "a");
        database.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' or query like 'select pg_backend%'");
        send("a", "meanwhile");
        assertThat(next(heard)).isEqualTo("meanwhile");
        send("a", "later");
        assertThat(next(heard)).isEqualTo("later");
    }

    @Test
    void what_was_sent_before_is_not_heard_and_the_rows_of_who_is_gone_are_deleted() throws Exception {
        send("gone", "long ago");
        send("a", "too early");
        database.execute("update election set content = regexp_replace(content, ' [0-9]{13} ', ' 1000000000000 '),"
                + " version = version + 1 where name = 'messages/gone'");
        BlockingQueue<MemberMessage> heard = hear(store, "a");
        send("a", "in time");
        assertThat(next(heard)).isEqualTo("in time");
        Awaitility.await("the row is deleted")
                .until(() -> database.query("select name from election where name = 'messages/gone'")
                        .isEmpty());
    }

    @Test
    void a_database_passes_messages_on_that_is_PostgreSQL_and_may_notify() {
        assertThat(passesMessages(database.access(), null)).isTrue();
        assertThat(passesMessages(database.access(), false)).isFalse();
        assertThat(passesMessages(JdbcDatabase.at("jdbc:h2:mem:any", "", ""), true))
                .isFalse();
        JdbcDatabase pool = JdbcDatabase.of(new PGSimpleDataSource());
        assertThat(passesMessages(pool, null)).as("nobody says of what").isFalse();
        assertThat(passesMessages(pool, true)).isTrue();
    }

    private boolean passesMessages(JdbcDatabase access, @Nullable Boolean listen) {
        return store(access, null, listen)
                .memberStore()
                .flatMap(MemberStore::messaging)
                .isPresent();
    }

    private JdbcLeaseStore store(@Nullable Duration pollInterval, @Nullable Boolean listen) {
        return store(database.access(), pollInterval, listen);
    }

    private JdbcLeaseStore store(JdbcDatabase access, @Nullable Duration pollInterval, @Nullable Boolean listen) {
        JdbcLeaseStore opened = JdbcLeaseStore.open(
                access,
                Duration.ofSeconds(15),
                new JdbcSettings(
                        JdbcTable.DEFAULT, TableCreation.ALWAYS, pollInterval, listen, 5, JdbcSettings.Names.DEFAULT));
        stores.add(opened);
        return opened;
    }

    private static MemberMessaging messaging(LeaseStore store) {
        return store.memberStore().flatMap(MemberStore::messaging).orElseThrow();
    }

    private void send(String to, String text) {
        assertThat(messaging(store).send(to, text).toCompletableFuture().join())
                .isInstanceOf(AnnounceReply.Announced.class);
    }

    /** What that instance hears, once it is connected. */
    private static BlockingQueue<MemberMessage> hear(JdbcLeaseStore store, String instance)
            throws InterruptedException {
        BlockingQueue<MemberMessage> heard = new LinkedBlockingQueue<>();
        messaging(store).listen(instance, heard::add);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isInstanceOf(MemberMessage.Connected.class);
        Awaitility.await("it listens")
                .until(() -> !database.query("select pid from pg_stat_activity where query like 'listen%'")
                        .isEmpty());
        return heard;
    }

    private static String next(BlockingQueue<MemberMessage> heard) throws InterruptedException {
        while (true) {
            MemberMessage message = heard.poll(20, TimeUnit.SECONDS);
            assertThat(message).as("a text").isNotNull();
            if (message instanceof MemberMessage.Received received) {
                return received.text();
            }
        }
    }
}
