package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.store.AnnounceReply;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.NodeMessage;
import dev.election.store.ReleaseRequest;
import dev.election.store.RosterVersion;
import dev.election.store.StoreEvent;
import dev.election.testing.LoggedLines;
import dev.election.testing.OtherServers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Who listens hears at once; a poll would hear a minute later. */
@OtherServers
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NotificationsOnPostgresTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    /** Of leaders that a server under load answers late. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(9);

    private static final Duration NEVER = Duration.ofMinutes(1);
    private static final Duration SOON = Duration.ofSeconds(10);
    private static final String LISTENERS = "select pid from pg_stat_activity where query like 'listen%'";

    @AutoClose
    private static PostgresDatabase database;

    private final LoggedLines log = new LoggedLines("dev.election.jdbc");
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private int requests;

    @BeforeAll
    static void start() throws Exception {
        database = new PostgresDatabase();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        log.close();
        awaitListeners(0);
    }

    private <T extends AutoCloseable> T open(T closeable) {
        opened.push(closeable);
        return closeable;
    }

    private JdbcLeaseStore store(JdbcDatabase access, Duration pollInterval, @Nullable Boolean listen) {
        return open(JdbcLeaseStore.open(access, LEASE, settings(pollInterval, listen)));
    }

    private static JdbcSettings settings(@Nullable Duration pollInterval, @Nullable Boolean listen) {
        return new JdbcSettings(
                JdbcTable.DEFAULT, TableCreation.ALWAYS, pollInterval, listen, 5, JdbcSettings.Names.DEFAULT);
    }

    /** It watches nothing, so it does not listen. */
    private JdbcLeaseStore telling() {
        return store(database.access(), NEVER, null);
    }

    private JdbcLeaseStore listening() {
        return store(database.access(), NEVER, null);
    }

    /** Returns what is heard once there is a connection that listens, or none is expected. */
    private static BlockingQueue<StoreEvent> hear(JdbcLeaseStore store, int listeners) {
        BlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        store.listen("e", heard::add);
        awaitListeners(listeners);
        Awaitility.await().atMost(SOON).until(() -> heard.stream().anyMatch(StoreEvent.Connected.class::isInstance));
        return heard;
    }

    private static List<String> awaitListeners(int count) {
        return Awaitility.await()
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(20))
                .until(NotificationsOnPostgresTest::listeners, all -> all.size() == count);
    }

    private static List<String> listeners() {
        return database.query(LISTENERS).stream()
                .map(row -> String.valueOf(row.get(0)))
                .toList();
    }

    private NodeMessage tell(JdbcLeaseStore store) {
        NodeMessage message = new NodeMessage.AbdicationHeard("request-" + requests++, Duration.ZERO);
        assertThat(store.messaging()
                        .orElseThrow()
                        .announce("e", message)
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(AnnounceReply.Announced.class);
        return message;
    }

    private static void assertHeard(BlockingQueue<StoreEvent> heard, NodeMessage message) throws InterruptedException {
        StoreEvent event;
        do {
            event = heard.poll(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(event).as("news within %s of %s", SOON, message).isNotNull();
        } while (!event.equals(new StoreEvent.Received(message)));
    }

    @Test
    void news_reach_who_listens_at_once_and_one_connection_serves_all_elections() throws Exception {
        JdbcLeaseStore teller = telling();
        JdbcLeaseStore listening = listening();
        listening.listen("another", event -> {});
        BlockingQueue<StoreEvent> heard = hear(listening, 1);
        assertHeard(heard, tell(teller));
        assertHeard(heard, tell(teller));
        assertThat(log.withLevels()).isEmpty();
    }

    @Test
    void who_watches_nothing_does_not_listen() {
        JdbcLeaseStore store = listening();
        store.read("e").toCompletableFuture().join();
        assertThat(listeners()).isEmpty();
    }

    @Test
    void a_connection_that_is_killed_is_replaced_and_what_was_told_meanwhile_is_found() throws Exception {
        JdbcLeaseStore teller = telling();
        BlockingQueue<StoreEvent> heard = hear(listening(), 1);
        assertHeard(heard, tell(teller));
        String killed = listeners().get(0);
        database.execute("select pg_terminate_backend(" + killed + ")");
        assertHeard(heard, tell(teller));
        assertThat(awaitListeners(1)).doesNotContain(killed);
        assertHeard(heard, tell(teller));
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(log.withLevels())
                .satisfiesExactly(
                        lost -> assertThat(lost)
                                .startsWith("WARN Failed to listen to the database, so news take up to 1 min"
                                        + " until a retry succeeds: "),
                        back -> assertThat(back).isEqualTo("INFO Listening to the database again")));
    }

    @Test
    void the_poll_works_without_it() throws Exception {
        JdbcLeaseStore teller = telling();
        BlockingQueue<StoreEvent> heard = hear(store(database.access(), Duration.ofMillis(50), false), 0);
        assertHeard(heard, tell(teller));
    }

    @Test
    void a_driver_behind_a_proxy_that_hides_it_is_told_and_the_poll_works() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource() {
            @Override
            public Connection getConnection() {
                return hidden(database);
            }
        };
        JdbcLeaseStore teller = telling();
        BlockingQueue<StoreEvent> heard = hear(store(JdbcDatabase.of(source), Duration.ofMillis(50), true), 0);
        assertHeard(heard, tell(teller));
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(log.withLevels())
                .containsExactly(
                        "WARN Not listening to the database, so news take up to 50 ms: a connection is not one of"
                                + " PostgreSQL's own driver"));
    }

    private static Connection hidden(PostgresDatabase database) {
        try {
            Connection connection = database.connect();
            return (Connection) Proxy.newProxyInstance(
                    NotificationsOnPostgresTest.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("isWrapperFor")) {
                            return false;
                        }
                        try {
                            return method.invoke(connection, arguments);
                        } catch (InvocationTargetException failure) {
                            throw failure.getCause();
                        }
                    });
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    @Test
    void a_data_source_is_not_asked_for_one_more_connection_unless_that_is_wanted() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(database.url());
        source.setUser(database.user());
        JdbcLeaseStore teller = telling();
        BlockingQueue<StoreEvent> polling = hear(store(JdbcDatabase.of(source), Duration.ofMillis(50), null), 0);
        assertHeard(polling, tell(teller));
        assertThat(listeners()).isEmpty();
        assertHeard(hear(store(JdbcDatabase.of(source), NEVER, true), 1), tell(teller));
    }

    /** PostgreSQL fails with 54000 if somebody else does not fetch what he listens to. Products that resemble it, or a user, may lack the function. */
    @ParameterizedTest
    @CsvSource({"54000, 2", "42501, 1", "42883, 1", "0A000, 1"})
    void a_refused_notification_stops_no_change_and_only_a_full_queue_is_tried_again(String state, int tries)
            throws Exception {
        JdbcLeaseStore teller = refused(state, null);
        BlockingQueue<StoreEvent> heard = hear(store(database.access(), Duration.ofMillis(50), false), 0);
        assertHeard(heard, tell(teller));
        assertHeard(heard, tell(teller));
        assertThat(tries(state)).isEqualTo(tries);
    }

    @Test
    void who_shall_not_listen_does_not_notify_either() {
        String state = "54001";
        JdbcLeaseStore silent = refused(state, false);
        tell(silent);
        assertThat(tries(state)).isZero();
    }

    /** Returns a store whose notifications fail. */
    private JdbcLeaseStore refused(String state, @Nullable Boolean listen) {
        String schema = "fails_" + state.toLowerCase(Locale.ROOT);
        // What a sequence counts is not rolled back.
        database.execute(
                "create schema " + schema,
                "create sequence " + schema + ".tries",
                "create function " + schema + ".pg_notify(text, text) returns void language plpgsql as $$ begin"
                        + " perform nextval('" + schema + ".tries'); raise exception 'refused' using errcode = '"
                        + state + "'; end $$");
        String url = database.url() + "?options=-c%20search_path=" + schema + ",pg_catalog,public";
        return open(JdbcLeaseStore.open(
                JdbcDatabase.at(url, database.user(), ""),
                LEASE,
                new JdbcSettings(
                        new JdbcTable("public", "election"),
                        TableCreation.ALWAYS,
                        NEVER,
                        listen,
                        5,
                        JdbcSettings.Names.DEFAULT)));
    }

    private static int tries(String state) {
        String sequence = "fails_" + state.toLowerCase(Locale.ROOT) + ".tries";
        return Integer.parseInt(
                String.valueOf(database.query("select case when is_called then last_value else 0 end from " + sequence)
                        .get(0)
                        .get(0)));
    }

    @Test
    void a_leader_that_gives_up_is_followed_long_before_the_others_look_again() {
        List<Election> nodes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ElectionEngine engine = open(ElectionEngine.over(listening())
                    .as(new NodeInfo("node-" + i, ""))
                    .timing(new Timing(LEASE, LEASE.dividedBy(3), Duration.ofSeconds(1)))
                    .build());
            nodes.add(engine.get("hand-over"));
            engine.start();
        }
        List<Duration> took = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            Election leader = awaitLeader(nodes);
            // One that still asks would follow without a notification, too.
            Awaitility.await().atMost(SOON).until(() -> nodes.stream()
                    .allMatch(node -> node.leader().equals(leader.leader())));
            leader.abdicate(Abdication.toAnyone().coolingDownFor(SOON));
            Awaitility.await().atMost(SOON).pollInterval(Duration.ofMillis(1)).until(() -> !leader.isLeader());
            long released = System.nanoTime();
            awaitLeader(nodes);
            took.add(Duration.ofNanos(System.nanoTime() - released));
        }
        assertThat(took).allMatch(time -> time.compareTo(Duration.ofSeconds(3)) < 0);
    }

    @Test
    void a_successor_that_listened_until_it_died_costs_the_reserve_and_no_poll_interval() throws Exception {
        Candidate a = new Candidate("reserved", "a.1", new NodeInfo("a", ""));
        Candidate b = new Candidate("reserved", "b.1", new NodeInfo("b", ""));
        Candidate c = new Candidate("reserved", "c.1", new NodeInfo("c", ""));
        JdbcLeaseStore leader = telling();
        CampaignReply.Granted grant = (CampaignReply.Granted) Awaitility.await()
                .atMost(SOON)
                .until(() -> campaign(leader, a), CampaignReply.Granted.class::isInstance);
        JdbcLeaseStore successor = listening();
        hear(successor, 1);
        campaign(successor, b);
        Awaitility.await().atMost(SOON).until(() -> {
            beat(successor, b);
            return database.query("select content from election where name = 'members/b'").stream()
                    .anyMatch(row -> String.valueOf(row.get(0)).contains("\nlistens=b\n"));
        });
        beat(leader, a);
        successor.close();
        leader.release(new ReleaseRequest(
                        a,
                        new ReleaseRequest.Grant(grant.token(), grant.expiry()),
                        LEASE,
                        Abdication.to("b"),
                        LossReason.ABDICATED))
                .toCompletableFuture()
                .join();
        assertThat(campaign(leader, c))
                .isInstanceOfSatisfying(CampaignReply.Wait.class, wait -> assertThat(wait.remaining())
                        .isLessThanOrEqualTo(Abdication.to("b").reserve()));
    }

    private static CampaignReply campaign(JdbcLeaseStore store, Candidate candidate) {
        return store.campaign(new CampaignRequest(candidate, LEASE, 0, Duration.ofMillis(1)))
                .toCompletableFuture()
                .join();
    }

    private static void beat(JdbcLeaseStore store, Candidate candidate) {
        String id = candidate.node().id();
        store.memberStore()
                .orElseThrow()
                .beat(new BeatRequest(id, "id=" + id + "\n", NEVER, RosterVersion.NONE))
                .toCompletableFuture()
                .join();
    }

    /** A role with CONNECT alone may send them. */
    @Test
    void a_flood_of_notifications_for_twenty_elections_ends_no_leadership() throws Exception {
        List<String> names =
                IntStream.range(0, 20).mapToObj(i -> "flooded-" + i).toList();
        List<ElectionEngine> engines = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            engines.add(open(
                    ElectionEngine.over(open(JdbcLeaseStore.open(database.access(), SHORT_LEASE, settings(null, null))))
                            .as(new NodeInfo("node-" + i, ""))
                            .timing(new Timing(SHORT_LEASE, SHORT_LEASE.dividedBy(3), Duration.ofSeconds(1)))
                            .build()));
        }
        engines.forEach(engine -> names.forEach(engine::get));
        engines.forEach(ElectionEngine::start);
        names.forEach(name ->
                awaitLeader(engines.stream().map(engine -> engine.get(name)).toList()));
        awaitListeners(2);
        List<String> before = leaderships(engines, names);
        database.execute("create role visitor login");
        try (Connection visitor = DriverManager.getConnection(database.url(), "visitor", "");
                Statement statement = visitor.createStatement()) {
            long end = System.nanoTime() + SHORT_LEASE.multipliedBy(2).toNanos();
            while (System.nanoTime() - end < 0) {
                statement.execute("select count(pg_notify('election', md5(random()::text) || ' flooded-' || i % 20))"
                        + " from generate_series(1, 5000) i");
                statement.execute("select pg_sleep(0.3)");
            }
        }
        assertThat(leaderships(engines, names)).isEqualTo(before);
    }

    /** Who leads each of them, and since when. */
    private static List<String> leaderships(List<ElectionEngine> engines, List<String> names) {
        return names.stream()
                .map(name -> engines.stream()
                        .flatMap(engine -> engine.get(name).leadership().stream())
                        .map(leadership -> name + " " + leadership.token())
                        .findFirst()
                        .orElse(name + " is led by nobody"))
                .toList();
    }

    private static Election awaitLeader(List<Election> nodes) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(5))
                .until(() -> nodes.stream().filter(Election::isLeader).findFirst(), Optional::isPresent)
                .orElseThrow();
    }
}
