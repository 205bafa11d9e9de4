package dev.election.redis.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.bridge.BridgeStatus.State;
import dev.election.redis.bridge.KeyReply.Outcome;
import dev.election.redis.script.RedisScripts;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.testing.AnyRedis;
import dev.election.testing.OtherServers;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What each side of the bridge may do, step by step, on every form of Redis. The old nodes are played by hand. */
@ParameterizedClass(name = "{0}")
@MethodSource("servers")
@OtherServers
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BridgeTest {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration SETTLE = Duration.ofMillis(1);

    private int tests;

    @Parameter
    Supplier<AnyRedis> servers;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private AnyRedis redis;
    private String election;
    private String key;
    private String lock;
    private RedisLeaseStore leases;
    private Bridge bridgeOfA;
    private LeaseStore a;
    private Bridge bridgeOfB;
    private LeaseStore b;

    static Stream<Named<Supplier<AnyRedis>>> servers() {
        return Stream.of(
                Named.of("Redis 7.0", () -> AnyRedis.embedded(RedisBinary.REDIS_7_0)),
                Named.of("Redis 6.2", () -> AnyRedis.embedded(RedisBinary.REDIS_6_2)),
                Named.of("Redis 7.0 Cluster", AnyRedis::cluster));
    }

    @BeforeParameterizedClassInvocation
    void start() {
        redis = servers.get();
    }

    @AfterParameterizedClassInvocation
    void stop() {
        redis.close();
    }

    @BeforeEach
    void open() {
        tests++;
        election = "bridged-" + tests;
        key = "SCHEDULER_MASTER-" + tests;
        lock = "MASTER_ELECTION_LOCK-" + tests;
        leases = closed(RedisLeaseStore.open(redis.access(), "bridge", LEASE));
        bridgeOfA = closed(Bridge.open(redis.access(), settings(), LEASE));
        bridgeOfB = closed(Bridge.open(redis.access(), settings(), LEASE));
        a = bridgeOfA.decorate(leases);
        b = bridgeOfB.decorate(leases);
        settle();
    }

    @AfterEach
    void close() throws Exception {
        for (int i = opened.size(); i > 0; i--) {
            opened.get(i - 1).close();
        }
        opened.clear();
    }

    @Test
    void a_leader_holds_the_old_key_so_that_an_old_node_finds_a_master_that_is_not_itself() {
        lead(a, "a");
        assertThat(hand().get(key)).isEqualTo("election:a");
        assertThat(hand().pttl(key)).isBetween(TTL.toMillis() - 5000, TTL.toMillis());
        assertThat(hand().exists(lock)).as("the lock").isZero();
        assertThat(bridgeOfA.status().state()).isEqualTo(State.ELECTION);
        assertThat(campaign(b, "b")).isInstanceOf(Held.class);
        assertThat(bridgeOfB.status().state()).isEqualTo(State.ELECTION);
    }

    @Test
    void while_an_old_node_is_master_nobody_is_granted_the_lease() {
        old("node-a");
        Wait wait = (Wait) campaign(a, "a");
        assertThat(wait.remaining()).as("looks again").isEqualTo(LEASE.dividedBy(3));
        assertThat(leader()).isEmpty();
        assertThat(hand().get(key)).isEqualTo("node-a");
        assertThat(bridgeOfA.status().state()).isEqualTo(State.OLD_MASTER);
        assertThat(bridgeOfA.status().oldMaster()).isEqualTo("node-a");
        Instant until = bridgeOfA.status().keyRenewedUntil();
        assertThat(Duration.between(bridgeOfA.status().at(), until)).isBetween(Duration.ofSeconds(55), TTL);
    }

    @Test
    void an_old_master_whose_key_ends_soon_is_waited_for_just_that_long() {
        // Sooner than it looks again by itself, and not before it has looked.
        hand().psetex(key, 5000, "node-a");
        Duration remaining = ((Wait) campaign(a, "a")).remaining();
        assertThat(remaining).isLessThanOrEqualTo(Duration.ofMillis(5001));
        hand().pexpire(key, 1);
        Awaitility.await().until(() -> hand().exists(key) == 0);
        assertThat(campaign(a, "a")).isInstanceOf(Granted.class);
    }

    @Test
    void an_old_key_without_an_end_is_waited_for_too() {
        hand().set(key, "node-a");
        assertThat(campaign(a, "a")).isInstanceOf(Wait.class);
        assertThat(bridgeOfA.status().keyRenewedUntil()).isNull();
    }

    @Test
    void each_renewal_of_the_lease_renews_the_mark() {
        Granted granted = lead(a, "a");
        hand().pexpire(key, 10_000);
        assertThat(renew(a, "a", granted)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(hand().pttl(key)).isGreaterThan(TTL.toMillis() - 5000);
    }

    @Test
    void a_leader_whose_mark_was_overwritten_hears_it_before_its_lease_is_free() {
        Granted granted = lead(a, "a");
        old("node-a");
        assertThat(renew(a, "a", granted)).isEqualTo(new RenewReply.Lost(null));
        assertThat(leader()).as("it may still believe").hasValue("a");
        ask(a.release(release("a", granted, LossReason.EXPIRED)));
        assertThat(hand().get(key)).isEqualTo("node-a");
        assertThat(campaign(b, "b")).isInstanceOf(Wait.class);
    }

    @Test
    void a_mark_that_is_gone_is_written_again_under_the_lock() {
        Granted granted = lead(a, "a");
        hand().del(key);
        String held = lockOfOldNode();
        NoAnswer refused = (NoAnswer) renew(a, "a", granted);
        assertThat(refused.action()).contains("lock");
        assertThat(hand().exists(key)).isZero();
        hand().hdel(lock, held);
        assertThat(renew(a, "a", granted)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(hand().get(key)).isEqualTo("election:a");
        assertThat(hand().exists(lock)).isZero();
    }

    @Test
    void while_an_old_node_elects_under_the_lock_nobody_is_granted_the_lease() {
        String held = lockOfOldNode();
        assertThat(campaign(a, "a")).isInstanceOf(Wait.class);
        assertThat(leader()).isEmpty();
        hand().hdel(lock, held);
        assertThat(campaign(a, "a")).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_for_which_no_mark_can_be_written_is_not_used() {
        LeaseStore overtaken = bridgeOfA.decorate(new GrantsAfter(leases, () -> old("node-a")));
        assertThat(campaign(overtaken, "a")).isInstanceOf(Wait.class);
        assertThat(campaign(a, "a")).isInstanceOf(Wait.class);
        assertThat(hand().get(key)).isEqualTo("node-a");
    }

    @Test
    void after_a_release_its_campaign_sends_nothing_more() {
        CompletableFuture<Void> mayGoOn = new CompletableFuture<>();
        LeaseStore slow = bridgeOfA.decorate(new GrantsAfter(leases, mayGoOn::join));
        CompletionStage<CampaignReply> campaign = slow.campaign(request("a"));
        Awaitility.await().until(() -> leader().isPresent());
        CompletionStage<ReleaseReply> released =
                slow.release(new ReleaseRequest(candidate("a"), null, LEASE, LossReason.STOPPED));
        Awaitility.await().until(() -> leader().isEmpty());
        mayGoOn.complete(null);
        assertThat(ask(campaign)).isNotInstanceOf(Granted.class);
        ask(released);
        assertThat(leader()).isEmpty();
        assertThat(hand().exists(key)).isZero();
    }

    @Test
    void a_release_whose_reply_is_late_leaves_the_mark_of_the_next_leadership() {
        Granted first = lead(a, "a");
        CompletableFuture<Void> mayAnswer = new CompletableFuture<>();
        LeaseStore late = bridgeOfA.decorate(new AnswersReleaseAfter(leases, mayAnswer));
        CompletionStage<ReleaseReply> released = late.release(release("a", first, LossReason.STOPPED));
        Granted next = lead(a, "a");
        mayAnswer.complete(null);
        assertThat(ask(released)).isInstanceOf(ReleaseReply.Released.class);
        ask(bridgeOfA.withdrawal());
        assertThat(next.token().isNewerThan(first.token())).isTrue();
        assertThat(hand().get(key)).isEqualTo("election:a");
        OldKey lateKey = new OldKey(requests(), settings());
        assertThat(ask(lateKey.drop("a", first.token().value())).outcome()).isEqualTo(Outcome.OURS);
        assertThat(hand().get(key)).isEqualTo("election:a");
    }

    @Test
    void a_lease_that_is_granted_after_its_release_is_given_back() {
        CompletableFuture<Void> mayBeSent = new CompletableFuture<>();
        CampaignsAfter slow = new CampaignsAfter(leases, mayBeSent);
        LeaseStore overtaken = bridgeOfA.decorate(slow);
        CompletionStage<CampaignReply> campaign = overtaken.campaign(request("a"));
        ask(slow.asked());
        CompletionStage<ReleaseReply> released =
                overtaken.release(new ReleaseRequest(candidate("a"), null, LEASE, LossReason.STOPPED));
        mayBeSent.complete(null);
        assertThat(ask(campaign)).isNotInstanceOf(Granted.class);
        ask(released);
        assertThat(leader()).isEmpty();
        assertThat(hand().exists(key)).isZero();
    }

    @Test
    void a_bridge_that_is_closed_before_its_elections_leaves_the_mark_of_the_leader() {
        lead(a, "a");
        bridgeOfA.close();
        assertThat(hand().get(key)).isEqualTo("election:a");
    }

    @Test
    void a_follower_that_stops_leaves_the_mark_of_a_leader_of_the_same_bridge() {
        lead(a, "a");
        ask(a.release(new ReleaseRequest(candidate("b"), null, LEASE, LossReason.STOPPED)));
        ask(bridgeOfA.withdrawal());
        assertThat(hand().get(key)).isEqualTo("election:a");
    }

    @Test
    void what_somebody_has_written_as_a_token_keeps_nobody_away() {
        for (String token : List.of("9000000000000000", "inf", "nan", "x", "-5")) {
            hand().hset(OldKey.note(key), "token", token);
            hand().hset(OldKey.note(key), "closed", token);
            Granted granted = lead(a, "a");
            stop(a, "a", granted);
            ask(bridgeOfA.withdrawal());
            assertThat(hand().exists(key)).as(token).isZero();
        }
    }

    @Test
    void the_tokens_of_deleted_marks_are_told_to_a_store_that_has_forgotten() {
        Granted granted = lead(a, "a");
        stop(a, "a", granted);
        ask(bridgeOfA.withdrawal());
        hand().hset(OldKey.note(key), "closed", Long.toString(granted.token().value() + 1000));
        assertThat(campaign(b, "b")).as("it may have forgotten a leader").isInstanceOf(Wait.class);
    }

    @Test
    void a_mark_that_was_deleted_is_not_written_again_by_a_late_request() {
        Granted granted = lead(a, "a");
        stop(a, "a", granted);
        bridgeOfA.close();
        OldKey late = new OldKey(requests(), settings());
        assertThat(ask(late.claim("a", granted.token().value())).outcome()).isEqualTo(Outcome.NEWER);
        assertThat(ask(late.claim("b", granted.token().value() - 1)).outcome()).isEqualTo(Outcome.NEWER);
        assertThat(hand().exists(key)).isZero();
    }

    @Test
    void a_mark_in_its_last_second_is_renewed_under_the_lock_only() {
        Granted granted = lead(a, "a");
        String held = lockOfOldNode();
        hand().pexpire(key, 900);
        assertThat(renew(a, "a", granted)).isInstanceOf(NoAnswer.class);
        hand().persist(key);
        assertThat(renew(a, "a", granted)).isInstanceOf(NoAnswer.class);
        hand().hdel(lock, held);
        assertThat(renew(a, "a", granted)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(hand().pttl(key)).isGreaterThan(50_000);
    }

    @Test
    void one_that_is_closed_while_it_cools_down_deletes_its_mark() {
        Granted granted = lead(a, "a");
        ask(a.release(release("a", granted, LossReason.ABDICATED)));
        assertThat(hand().get(key)).isEqualTo("election:a");
        bridgeOfA.close();
        assertThat(hand().exists(key)).isZero();
    }

    @Test
    void a_lease_whose_mark_waits_for_the_lock_is_kept_for_the_next_attempt() {
        List<String> held = new ArrayList<>();
        LeaseStore overtaken = bridgeOfA.decorate(new GrantsAfter(leases, () -> held.add(lockOfOldNode())));
        Wait wait = (Wait) campaign(overtaken, "a");
        assertThat(wait.remaining()).isLessThan(Duration.ofSeconds(1));
        assertThat(leader()).hasValue("a");
        hand().hdel(lock, held.get(0));
        assertThat(campaign(a, "a")).isInstanceOf(Granted.class);
    }

    @Test
    void a_successor_takes_the_mark_over_and_its_predecessor_can_not_take_it_back() {
        Granted ofA = lead(a, "a");
        forgetLease();
        Granted ofB = lead(b, "b");
        assertThat(hand().get(key)).isEqualTo("election:b");
        assertThat(ofB.token().isNewerThan(ofA.token())).isTrue();
        assertThat(renew(a, "a", ofA)).isInstanceOf(RenewReply.Lost.class);
        OldKey late = new OldKey(requests(), settings());
        assertThat(ask(late.keep("a", ofA.token().value())).outcome()).isEqualTo(Outcome.NEWER);
        assertThat(ask(late.claim("a", ofA.token().value())).outcome()).isEqualTo(Outcome.NEWER);
        assertThat(ask(late.drop("a", ofA.token().value())).outcome()).isEqualTo(Outcome.OURS);
        assertThat(hand().get(key)).isEqualTo("election:b");
    }

    @Test
    void a_successor_takes_the_mark_over_also_while_an_old_node_holds_the_lock() {
        lead(a, "a");
        forgetLease();
        lockOfOldNode();
        assertThat(campaign(b, "b")).isInstanceOf(Granted.class);
        assertThat(hand().get(key)).isEqualTo("election:b");
    }

    @Test
    void the_last_of_ours_that_stops_deletes_its_mark() {
        Granted granted = lead(a, "a");
        assertThat(stop(a, "a", granted)).isInstanceOf(ReleaseReply.Released.class);
        bridgeOfA.close();
        assertThat(hand().exists(key)).isZero();
    }

    @Test
    void one_that_stops_after_it_has_lost_leadership_deletes_its_mark_too() {
        Granted granted = lead(a, "a");
        ask(leases.release(release("a", granted, LossReason.EXPIRED)));
        ask(a.release(new ReleaseRequest(candidate("a"), null, LEASE, LossReason.STOPPED)));
        bridgeOfA.close();
        assertThat(hand().exists(key)).isZero();
    }

    @Test
    void a_follower_that_stops_leaves_the_mark_of_the_leader() {
        lead(a, "a");
        ask(b.release(new ReleaseRequest(candidate("b"), null, LEASE, LossReason.STOPPED)));
        bridgeOfB.close();
        assertThat(hand().get(key)).isEqualTo("election:a");
    }

    @Test
    void one_that_starts_again_at_once_keeps_the_mark_of_its_new_leadership() {
        Granted granted = lead(a, "a");
        stop(a, "a", granted);
        lead(a, "a");
        ask(bridgeOfA.withdrawal());
        assertThat(hand().get(key)).isEqualTo("election:a");
    }

    @Test
    void a_store_that_has_forgotten_its_tokens_learns_them_from_the_mark() {
        Granted granted = lead(a, "a");
        hand().hset(OldKey.note(key), "token", Long.toString(granted.token().value() + 1000));
        ask(leases.release(release("a", granted, LossReason.EXPIRED)));
        assertThat(campaign(b, "b")).as("it may have forgotten a leader").isInstanceOf(Wait.class);
        assertThat(leader()).isEmpty();
    }

    @Test
    void a_leader_whose_key_another_election_uses_gives_up() {
        Granted granted = lead(a, "a");
        hand().hset(OldKey.note(key), "token", Long.toString(granted.token().value() + 1000));
        assertThat(renew(a, "a", granted)).isEqualTo(new RenewReply.Lost(null));
    }

    @Test
    void one_of_ours_that_stops_leaves_the_mark_to_its_successor() {
        Granted granted = lead(a, "a");
        stop(a, "a", granted);
        lead(b, "b");
        bridgeOfA.close();
        assertThat(hand().get(key)).isEqualTo("election:b");
    }

    @Test
    void the_quotes_of_a_serializer_are_recognised_and_written_where_the_old_nodes_write_them() {
        hand().psetex(key, 60_000, "\"node-a\"");
        campaign(a, "a");
        assertThat(bridgeOfA.status().oldMaster()).isEqualTo("node-a");
        hand().del(key);
        lead(a, "a");
        assertThat(hand().get(key)).isEqualTo("\"election:a\"");
        assertThat(campaign(b, "b")).isInstanceOf(Held.class);
    }

    @Test
    void the_format_can_be_set_for_a_key_that_no_old_node_has_written_yet() {
        Bridge json = closed(Bridge.open(redis.access(), settings().format(ValueFormat.JSON), LEASE));
        lead(json.decorate(leases), "a");
        assertThat(hand().get(key)).isEqualTo("\"election:a\"");
    }

    @Test
    void a_value_that_is_no_text_is_an_old_master_too() {
        hand().psetex(key, 60_000, "\u0001\u0002t\nnode");
        assertThat(campaign(a, "a")).isInstanceOf(Wait.class);
        assertThat(bridgeOfA.status().oldMaster()).isEqualTo("??t?node");
    }

    @Test
    void the_key_is_taken_from_the_old_master_that_is_named_and_from_no_other() {
        old("node-a");
        campaign(a, "a");
        assertThat(ask(bridgeOfB.takeOver("b", "node-c"))).isEqualTo(new TakeOverReply.OtherMaster("node-a"));
        assertThat(hand().get(key)).isEqualTo("node-a");
        List<StoreEvent> heard = new CopyOnWriteArrayList<>();
        try (LeaseStore.Subscription events = b.listen(election, heard::add)) {
            assertThat(events).isNotNull();
            assertThat(ask(bridgeOfB.takeOver("b", "node-a"))).isEqualTo(new TakeOverReply.TakenOver());
            assertThat(heard).contains(new StoreEvent.Connected());
        }
        assertThat(hand().get(key)).isEqualTo("election:b");
        assertThat(hand().exists(lock)).isZero();
        assertThat(ask(bridgeOfB.takeOver("b", "node-a"))).isEqualTo(new TakeOverReply.NoMaster());
        lead(a, "a");
        assertThat(hand().get(key)).as("any of ours may lead").isEqualTo("election:a");
    }

    @Test
    void the_key_is_not_taken_while_an_old_node_holds_the_lock() {
        old("node-a");
        hand().hset(lock, "old:1", "1");
        hand().pexpire(lock, 30_000);
        TakeOverReply.Locked locked = (TakeOverReply.Locked) ask(bridgeOfA.takeOver("a", "node-a"));
        assertThat(locked.left()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(30));
        assertThat(hand().get(key)).isEqualTo("node-a");
    }

    @Test
    void an_old_node_that_extends_the_life_of_the_mark_is_noticed() {
        Granted granted = lead(a, "a");
        backdate("since", Duration.ofMinutes(11));
        renew(a, "a", granted);
        assertThat(bridgeOfA.status().removable()).isTrue();
        assertThat(bridgeOfA.status().quietFor()).isGreaterThanOrEqualTo(Duration.ofMinutes(11));
        hand().pexpire(key, TTL.toMillis());
        renew(a, "a", granted);
        assertThat(bridgeOfA.status().removable()).isFalse();
        backdate("seen", Duration.ofMinutes(9));
        renew(a, "a", granted);
        assertThat(bridgeOfA.status().quietFor()).isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
        assertThat(bridgeOfA.status().removable()).isFalse();
        backdate("seen", Duration.ofMinutes(10));
        campaign(b, "b");
        assertThat(bridgeOfB.status().removable()).as("followers see it too").isTrue();
    }

    @Test
    void other_elections_of_the_store_are_left_alone() {
        old("node-a");
        String other = election;
        election = "other-" + tests;
        assertThat(leases.traits()).isEqualTo(a.traits());
        settle();
        lead(a, "a");
        election = other;
        assertThat(hand().get(key)).isEqualTo("node-a");
    }

    @Test
    void a_key_of_another_type_is_a_problem_whose_action_names_the_settings() {
        hand().hset(key, "x", "y");
        NoAnswer refused = (NoAnswer) campaign(a, "a");
        assertThat(refused.problem()).isEqualTo(StoreProblem.WRONG_TYPE);
        assertThat(refused.action()).contains("the lock of the BridgeSettings").contains(key);
    }

    @Test
    void settings_that_can_not_work_are_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Bridge.open(redis.access(), settings().ttl(LEASE), LEASE))
                .withMessageContaining("longer than the lease");
        assertThatIllegalArgumentException().isThrownBy(() -> settings().lock(key));
        assertThatIllegalArgumentException().isThrownBy(() -> BridgeSettings.of(" "));
        assertThatIllegalArgumentException().isThrownBy(() -> BridgeSettings.of("a{}b"));
        assertThat(OldKey.note("a")).isEqualTo("{a}:election-bridge");
        assertThat(OldKey.note("a{b}c")).isEqualTo("a{b}c:election-bridge");
        assertThatIllegalArgumentException().isThrownBy(() -> settings().ttl(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> settings().database(-1));
    }

    private void old(String master) {
        hand().psetex(key, TTL.toMillis(), master);
    }

    private String lockOfOldNode() {
        String owner = "b7f7c1c2-0000-4000-8000-000000000000:42";
        hand().hset(lock, owner, "1");
        hand().pexpire(lock, 30_000);
        return owner;
    }

    private void backdate(String field, Duration time) {
        String note = OldKey.note(key);
        List<String> now = hand().time();
        hand().hset(note, field, Long.toString(Long.parseLong(now.get(0)) * 1000 - time.toMillis()));
    }

    private BridgeSettings settings() {
        return BridgeSettings.of(key).election(election).lock(lock).ttl(TTL);
    }

    private RedisScripts requests() {
        return closed(RedisScripts.open(redis.access(), LEASE, () -> false, null));
    }

    /** As one that a leader had and that has ended. */
    private void forgetLease() {
        hand().del("bridge:{" + election + "}:lease");
        hand().hset("bridge:{" + election + "}:epoch", "until", "0");
    }

    /** A store without a record grants nothing for a moment. */
    private void settle() {
        Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> {
            CampaignReply reply = ask(leases.campaign(request("settling")));
            return reply instanceof Granted granted
                    && ask(leases.release(release("settling", granted, LossReason.ABDICATED)))
                            instanceof ReleaseReply.Released;
        });
    }

    private Granted lead(LeaseStore store, String node) {
        CampaignReply reply = campaign(store, node);
        assertThat(reply).isInstanceOf(Granted.class);
        return (Granted) reply;
    }

    private CampaignReply campaign(LeaseStore store, String node) {
        return ask(store.campaign(request(node)));
    }

    private CampaignRequest request(String node) {
        return new CampaignRequest(candidate(node), LEASE, 0, SETTLE);
    }

    private RenewReply renew(LeaseStore store, String node, Granted granted) {
        return ask(store.renew(
                new RenewRequest(candidate(node), granted.token(), granted.since(), granted.expiry(), LEASE)));
    }

    private ReleaseReply stop(LeaseStore store, String node, Granted granted) {
        return ask(store.release(release(node, granted, LossReason.STOPPED)));
    }

    private ReleaseRequest release(String node, Granted granted, LossReason reason) {
        return new ReleaseRequest(
                candidate(node), new ReleaseRequest.Grant(granted.token(), granted.expiry()), LEASE, reason);
    }

    private Candidate candidate(String node) {
        return new Candidate(election, "candidacy-of-" + node, new NodeInfo(node, node + ":80"));
    }

    private Optional<String> leader() {
        return ((ReadReply.Read) ask(leases.read(election))).view().leader().map(leader -> leader.node());
    }

    private RedisClusterCommands<String, String> hand() {
        return redis.hand();
    }

    private <T extends AutoCloseable> T closed(T resource) {
        opened.add(resource);
        return resource;
    }

    private static <T> T ask(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
