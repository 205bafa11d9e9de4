package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EvictRequest;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.MemberStore;
import dev.election.store.NodeMessage;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.RosterVersion;
import dev.election.store.StoreEvent;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.AclSetuserArgs.Builder;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What servers do that may have lost what they acknowledged: real ones, that are killed, started again and promoted. */
abstract class IncarnationContract {

    private static final Duration SHORT = Duration.ofMillis(500);

    /** Long enough for a test to ask a server that is starting, before it has been there for that long. */
    private static final Duration ROOMY = Duration.ofSeconds(4);

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SETTLE = Duration.ofMillis(30);
    private static final String PASSWORD = "secret";

    /** After which a candidate asks again, lest its connection be closed for being idle. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

    private static final NodeMessage LAST = new NodeMessage.AbdicationHeard("the last", Duration.ZERO);

    /** At which a server has certainly been there for a short lease: whole seconds, of which the first may be anything. */
    private static final int OF_AGE = 3;

    private final Candidate a = candidate("a");
    private final Candidate b = candidate("b");
    private RedisServer server;
    private RedisLeaseStore store;

    /** The scripts to use. */
    ScriptSet scripts() {
        return ScriptSet.load();
    }

    @BeforeEach
    void start() {
        server = RedisServer.start(RedisBinary.REDIS_7_0);
        store = store(RedisAccess.at(server.uri()), SettleTime.AS_NEEDED);
    }

    @AfterEach
    void stop() {
        store.close();
        server.close();
    }

    @Test
    void a_leader_keeps_leadership_and_token_through_a_restart_from_a_snapshot_of_before() {
        release(a, lead(a, SHORT), SHORT);
        server.call(redis -> redis.save());
        Granted grant = lead(b, LONG);
        restart();
        assertThat(campaign(a, LONG)).isInstanceOf(Wait.class);
        assertThat(ask(() -> store.renew(renewal(b, grant, LONG)))).isInstanceOf(RenewReply.Renewed.class);
        assertThat(campaign(a, LONG))
                .isInstanceOfSatisfying(
                        Held.class, held -> assertThat(held.leader().token()).isEqualTo(grant.token()));
    }

    @Test
    void a_server_that_came_back_with_old_data_grants_when_a_lease_has_passed() {
        Granted grant = lead(a, ROOMY);
        release(a, grant, ROOMY);
        server.call(redis -> redis.save());
        restart();
        assertThat(campaign(b, ROOMY)).isInstanceOf(Wait.class);
        Granted next = awaitGrant(b, ROOMY);
        assertThat(next.token().isNewerThan(grant.token())).isTrue();
    }

    @Test
    void a_lease_that_came_back_with_old_data_is_taken_over_by_the_present_leader() {
        Granted old = lead(a, LONG);
        server.call(redis -> redis.save());
        ask(() -> store.eviction()
                .orElseThrow()
                .evict(new EvictRequest(
                        a.election(), old.token(), Abdication.toAnyone().coolingDownFor(Duration.ZERO))));
        Granted grant = (Granted) campaign(b, LONG);
        restart();
        assertThat(campaign(a, LONG)).as("the lease of a is back").isInstanceOf(Wait.class);
        assertThat(ask(() -> store.renew(renewal(b, grant, LONG)))).isInstanceOf(RenewReply.Renewed.class);
        assertThat(campaign(a, LONG)).isInstanceOf(Held.class);
    }

    @Test
    void a_server_that_has_been_there_for_a_lease_grants_at_once_whatever_incarnation_wrote_the_record() {
        release(a, lead(a, SHORT), SHORT);
        server.call(redis -> redis.save());
        restart();
        awaitAge(OF_AGE);
        assertThat(campaign(b, SHORT)).isInstanceOf(Granted.class);
    }

    @Test
    void a_server_that_was_a_replica_meanwhile_keeps_everybody_out_however_old_it_is() {
        awaitAge(OF_AGE);
        release(a, lead(a, SHORT), SHORT);
        server.call(redis -> redis.replicaof("127.0.0.1", 1));
        server.call(redis -> redis.replicaofNoOne());
        assertThat(campaign(b, SHORT)).isInstanceOf(Wait.class);
        awaitGrant(b, SHORT);
    }

    @Test
    void members_of_another_incarnation_are_another_list() {
        BeatRequest request = new BeatRequest("a", "text", LONG, RosterVersion.NONE);
        Beaten before = (Beaten) ask(() -> members().beat(request));
        server.call(redis -> redis.replicaof("127.0.0.1", 1));
        server.call(redis -> redis.replicaofNoOne());
        BeatRequest next = new BeatRequest("a", "text", LONG, before.version());
        Beaten after = (Beaten) ask(() -> members().beat(next));
        assertThat(after.isAll()).isTrue();
        assertThat(after.version().roster()).isNotEqualTo(before.version().roster());
    }

    private MemberStore members() {
        return store.memberStore().orElseThrow();
    }

    @Test
    void a_server_without_a_record_waits_for_the_settle_time() {
        assertThat(campaign(a, LONG)).isEqualTo(new Wait(SETTLE, 0));
    }

    @Test
    void a_leader_can_connect_again_within_the_settle_time() {
        assertThat(store.traits().settle())
                .isBetween(RedisRequests.longestPause().plusMillis(300), Duration.ofMillis(1200));
    }

    @Test
    void the_settle_time_is_longer_than_any_lease_where_a_whole_one_is_asked_for() {
        try (RedisLeaseStore patient = store(RedisAccess.at(server.uri()), SettleTime.WHOLE_LEASE)) {
            assertThat(patient.traits().settle()).isEqualTo(Duration.ofDays(1));
        }
    }

    @Test
    void a_server_without_a_record_waits_for_a_whole_lease_where_its_user_may_not_publish() {
        useAs("mute", Builder.on().addPassword(PASSWORD).allKeys().allCommands().resetChannels());
        assertThat(campaign(a, LONG)).isEqualTo(new Wait(LONG, 0));
    }

    @Test
    void who_may_not_subscribe_is_told_so_and_so_is_a_second_listener() {
        useAs("deaf", Builder.on().addPassword(PASSWORD).allKeys().allCommands().resetChannels());
        BlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        try (LeaseStore.Subscription first = store.listen(a.election(), heard::add)) {
            Awaitility.await("the refusal").until(() -> heard.contains(new StoreEvent.Refused()));
            heard.clear();
            try (LeaseStore.Subscription second = store.listen(a.election(), heard::add)) {
                Awaitility.await("the refusal").until(() -> heard.contains(new StoreEvent.Refused()));
            }
        }
    }

    @Test
    void a_second_listener_of_an_election_is_told_that_it_can_be_heard() {
        BlockingQueue<StoreEvent> first = new LinkedBlockingQueue<>();
        BlockingQueue<StoreEvent> second = new LinkedBlockingQueue<>();
        try (LeaseStore.Subscription former = store.listen(a.election(), first::add)) {
            Awaitility.await("the subscription").until(() -> !first.isEmpty());
            try (LeaseStore.Subscription latter = store.listen(a.election(), second::add)) {
                Awaitility.await("the news of it").until(() -> second.contains(new StoreEvent.Connected()));
            }
        }
    }

    @Test
    void where_the_server_does_not_tell_its_incarnation_a_campaign_waits_for_a_lease_after_it_has_connected() {
        release(a, lead(a, SHORT), SHORT);
        useAs(
                "blind",
                Builder.on()
                        .addPassword(PASSWORD)
                        .allKeys()
                        .allChannels()
                        .allCommands()
                        .removeCommand(CommandType.INFO));
        BlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        try (LeaseStore.Subscription subscription = store.listen(b.election(), heard::add)) {
            Awaitility.await("the subscription").until(() -> !heard.isEmpty());
            for (int i = 0; i < 3; i++) {
                assertThat(campaign(b, LONG)).isEqualTo(new Wait(LONGEST_SILENCE, 0));
            }
            ask(() -> store.messaging().orElseThrow().announce(b.election(), LAST));
            Awaitility.await("the last message").until(() -> heard.contains(new StoreEvent.Received(LAST)));
            assertThat(heard)
                    .as("each campaign would be answered by others with another")
                    .doesNotContain(new StoreEvent.RollCall());
        }
        Granted grant = awaitGrant(b, SHORT);
        release(b, grant, SHORT);
        assertThat(campaign(a, SHORT))
                .as("over a connection older than a lease")
                .isInstanceOf(Granted.class);
    }

    /** From here on as a user with these rights. */
    private void useAs(String user, AclSetuserArgs rights) {
        server.call(redis -> redis.aclSetuser(user, rights));
        store.close();
        store = store(
                RedisAccess.at(RedisURI.builder(server.uri())
                        .withAuthentication(user, PASSWORD)
                        .build()),
                SettleTime.AS_NEEDED);
    }

    private RedisLeaseStore store(RedisAccess access, SettleTime settleTime) {
        return new RedisLeaseStore(
                access,
                LONG,
                RedisSettings.of(RedisKeySpace.of("incarnation")).history(0).settleTime(settleTime),
                scripts());
    }

    /** Without a warning to anybody: what was not saved is lost. */
    private void restart() {
        server.kill();
        server.restart();
    }

    private void awaitAge(int seconds) {
        Awaitility.await("the server is old enough").until(() -> uptime() >= seconds);
    }

    private long uptime() {
        return server.<String>call(redis -> redis.info("server"))
                .lines()
                .filter(line -> line.startsWith("uptime_in_seconds:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    private Granted lead(Candidate candidate, Duration lease) {
        return awaitGrant(candidate, lease);
    }

    /** Asks again whenever the store says that it is time. */
    private Granted awaitGrant(Candidate candidate, Duration lease) {
        return (Granted) Awaitility.await("a grant to " + candidate.node())
                .pollInterval(Duration.ofMillis(20))
                .until(() -> campaign(candidate, lease), Granted.class::isInstance);
    }

    private CampaignReply campaign(Candidate candidate, Duration lease) {
        return ask(() -> store.campaign(new CampaignRequest(candidate, lease, 0, SETTLE)));
    }

    private void release(Candidate candidate, Granted grant, Duration lease) {
        ReleaseRequest.Grant held = new ReleaseRequest.Grant(grant.token(), grant.expiry());
        ask(() -> store.release(new ReleaseRequest(candidate, held, lease, LossReason.ABDICATED)));
    }

    private static RenewRequest renewal(Candidate candidate, Granted grant, Duration lease) {
        return new RenewRequest(candidate, grant.token(), grant.since(), grant.expiry(), lease);
    }

    /** A store that is just connecting again says so. */
    private static <T> T ask(Supplier<CompletionStage<T>> request) {
        return Awaitility.await("an answer")
                .until(
                        () -> request.get().toCompletableFuture().get(20, TimeUnit.SECONDS),
                        reply -> !(reply instanceof dev.election.store.NoAnswer));
    }

    private static Candidate candidate(String node) {
        return new Candidate("restarted", node + "-" + UUID.randomUUID(), new NodeInfo(node, "address of " + node));
    }
}
