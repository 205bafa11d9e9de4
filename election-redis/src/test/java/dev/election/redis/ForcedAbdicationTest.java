package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.Role;
import dev.election.StoreView;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.NodeMessage;
import dev.election.store.StoreEvent;
import dev.election.testing.EachEvent;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Three nodes on a real Redis, and operators at several of them at the worst moment. In the end one node leads. */
@RealTime
class ForcedAbdicationTest {

    /** No pause of the machine ends it. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    /** A cooldown within which somebody else takes over for certain. */
    private static final AbdicationRequest ASKED =
            AbdicationRequest.of(Abdication.toAnyone().coolingDownFor(Duration.ofSeconds(10)));

    @AutoClose
    private final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void two_operators_at_once_cause_one_hand_over_and_both_hear_of_it() {
        try (Nodes nodes = start()) {
            Node leader = nodes.awaitLeader();
            FencingToken token = leader.token().orElseThrow();
            Nodes.await("both see the same leader").until(() -> nodes.others(leader).stream()
                    .allMatch(node -> node.election().leader().isPresent()));
            LeaderWork work = leader.election().beginWork().orElseThrow();
            List<CompletableFuture<AbdicationReport>> reports = nodes.others(leader).stream()
                    .map(node -> request(node, ASKED))
                    .toList();
            work.close();
            assertThat(reports).allSatisfy(report -> {
                assertThat(join(report).outcome()).isEqualTo(AbdicationOutcome.RELEASED);
                assertThat(join(report).before().orElseThrow().token()).isEqualTo(token);
                assertThat(join(report).after().orElseThrow().node()).isNotEqualTo(leader.id());
            });
            Node next = nodes.awaitLeaderAfter(token);
            assertThat(leaderships(next)).hasSize(2);
            nodes.assertThatLeadershipIsRenewed(next, next.token().orElseThrow());
        }
    }

    @Test
    void during_a_hand_over_a_second_request_waits_with_the_first() {
        try (Nodes nodes = start();
                RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(redis.uri()), Nodes.PREFIX, LEASE)) {
            Queue<StoreEvent> events = new ConcurrentLinkedQueue<>();
            store.listen(Election.DEFAULT, events::add);
            Nodes.await("the subscription")
                    .until(() -> events.stream().anyMatch(StoreEvent.Connected.class::isInstance));
            Node leader = nodes.awaitLeader();
            List<Node> others = nodes.others(leader);
            AbdicationRequest asked = AbdicationRequest.of(ASKED.how().drainingFor(Duration.ofSeconds(20)));
            LeaderWork work = leader.election().beginWork().orElseThrow();
            CompletableFuture<AbdicationReport> first = request(others.get(0), asked);
            Nodes.await("the leader drains").until(() -> !nodes.journal()
                    .events(LeadershipEvent.Resigning.class, leader.id())
                    .isEmpty());
            CompletableFuture<AbdicationReport> second = request(others.get(1), asked);
            CompletableFuture<AbdicationReport> own = request(leader, asked);
            Nodes.await("the leader has heard all").until(() -> requestsHeard(events) == 3);
            assertThat(leader.isLeader()).isTrue();
            assertThat(List.of(first, second, own)).noneMatch(report -> report.isDone());
            work.close();
            for (CompletableFuture<AbdicationReport> report : List.of(first, second, own)) {
                assertThat(join(report).outcome()).isEqualTo(AbdicationOutcome.RELEASED);
            }
            assertThat(leaderships(leader)).hasSize(2);
        }
    }

    @Test
    void while_a_lease_is_kept_for_a_successor_there_is_nobody_to_abdicate() {
        try (Nodes nodes = start()) {
            Node leader = nodes.awaitLeader();
            Node other = nodes.others(leader).get(0);
            leader.election()
                    .abdicate(Abdication.to("nobody"))
                    .toCompletableFuture()
                    .join();
            Nodes.await("the other has heard of it")
                    .until(() -> other.election().leader().isEmpty());
            AbdicationReport report = join(request(other, ASKED));
            assertThat(report.outcome()).isEqualTo(AbdicationOutcome.NOT_LEADER);
            nodes.awaitLeader();
        }
    }

    @Test
    void a_successor_that_is_gone_is_missed_and_another_leads() {
        try (Nodes nodes = start()) {
            Node leader = nodes.awaitLeader();
            Abdication how = new Abdication(null, Duration.ofMinutes(1), "gone", Duration.ofMillis(700));
            AbdicationReport report = join(request(nodes.others(leader).get(0), AbdicationRequest.of(how)));
            assertThat(report.outcome()).isEqualTo(AbdicationOutcome.RELEASED);
            assertThat(report.after()).isPresent();
            assertThat(report.took()).isGreaterThanOrEqualTo(Duration.ofMillis(700));
            assertThat(report.detail()).contains("gone did not take over within 700 ms");
            assertThat(leader.election().role()).isEqualTo(Role.COOLING_DOWN);
        }
    }

    @Test
    void while_redis_is_away_that_is_said_and_in_the_end_one_node_leads() {
        try (Nodes nodes = start()) {
            Node leader = nodes.awaitLeader();
            redis.kill();
            Node asked = nodes.others(leader).get(0);
            AbdicationReport report = join(request(asked, ASKED.withForce()));
            assertThat(report.outcome()).isEqualTo(AbdicationOutcome.STORE_UNAVAILABLE);
            assertThat(report.detail()).contains("the store");
            redis.restart();
            nodes.awaitRecovery();
            Node next = nodes.awaitLeader();
            nodes.assertThatLeadershipIsRenewed(next, next.token().orElseThrow());
        }
    }

    @Test
    void a_redis_that_goes_away_while_the_leader_is_asked_is_said() {
        try (Nodes nodes = start()) {
            Node leader = nodes.awaitLeader();
            LeaderWork work = leader.election().beginWork().orElseThrow();
            CompletableFuture<AbdicationReport> report =
                    request(nodes.others(leader).get(0), ASKED);
            Nodes.await("the leader drains").until(() -> !nodes.journal()
                    .events(LeadershipEvent.Resigning.class, leader.id())
                    .isEmpty());
            redis.kill();
            assertThat(join(report).outcome()).isEqualTo(AbdicationOutcome.STORE_UNAVAILABLE);
            work.close();
            redis.restart();
            nodes.awaitLeader();
        }
    }

    @Test
    void whoever_waits_for_a_report_when_the_node_is_closed_is_told_so() {
        try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(redis.uri()), "closed", LEASE)) {
            ElectionEngine engine = engine("closing", store, LEASE);
            Election election = engine.get(Election.DEFAULT);
            redis.freeze();
            CompletableFuture<AbdicationReport> report =
                    election.requestAbdication(ASKED).toCompletableFuture();
            engine.close();
            redis.thaw();
            assertThat(join(report).outcome()).isEqualTo(AbdicationOutcome.STORE_UNAVAILABLE);
            assertThat(join(election.requestAbdication(ASKED).toCompletableFuture())
                            .detail())
                    .contains("has stopped");
        }
    }

    /** Not among the watched nodes: that two believe to lead for a while is what force means. */
    @Test
    void a_leader_that_hangs_is_evicted_by_force_and_steps_down_when_it_comes_back() throws InterruptedException {
        Duration lease = Duration.ofSeconds(30);
        try (RedisLeaseStore hungStore = RedisLeaseStore.open(RedisAccess.at(redis.uri()), "hung", lease);
                RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(redis.uri()), "hung", lease);
                ElectionEngine hung = engine("hung", hungStore, lease)) {
            Election old = hung.get(Election.DEFAULT);
            hung.start();
            assertThat(old.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            FencingToken token = old.leadership().orElseThrow().token();
            CountDownLatch comesBack = new CountDownLatch(1);
            CountDownLatch hangs = new CountDownLatch(1);
            old.addListener(new Blocking(hangs, comesBack));
            assertThat(hangs.await(20, TimeUnit.SECONDS)).isTrue();

            try (ElectionEngine well = engine("well", store, lease)) {
                Election next = well.get(Election.DEFAULT);
                well.start();
                assertThat(next.awaitResult(Duration.ofSeconds(20))).isTrue();
                AbdicationRequest patient = ASKED.waitingFor(Duration.ofMillis(500));
                AbdicationReport left = join(next.requestAbdication(patient).toCompletableFuture());
                assertThat(left.outcome()).isEqualTo(AbdicationOutcome.NO_REACTION);
                AbdicationReport forced =
                        join(next.requestAbdication(patient.withForce()).toCompletableFuture());
                assertThat(forced.outcome()).isEqualTo(AbdicationOutcome.EVICTED);
                assertThat(forced.after().orElseThrow().node()).isEqualTo("well");
                assertThat(forced.detail()).contains("only its fencing token " + token);
                assertThat(next.leadership().orElseThrow().token().isNewerThan(token))
                        .isTrue();
                assertThat(old.isLeader()).as("it knows nothing of it").isTrue();

                comesBack.countDown();
                Nodes.await("it steps down").until(() -> !old.isLeader());
                Nodes.await("it follows").until(() -> old.leader()
                        .filter(leader -> leader.node().equals("well"))
                        .isPresent());
                assertThat(next.isLeader()).isTrue();
                List<LeadershipRecord> leaderships =
                        next.lookUp().toCompletableFuture().join().leaderships();
                assertThat(leaderships).extracting(LeadershipRecord::reason).containsExactly(null, LossReason.EVICTED);
            }
        }
    }

    /** Not among the watched nodes, for the same reason. */
    @Test
    void a_leader_that_hears_no_message_learns_by_its_renewal_that_it_was_evicted_and_stays_out()
            throws InterruptedException {
        Duration lease = Duration.ofSeconds(6);
        redis.call(commands -> commands.aclSetuser(
                "deaf",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .allKeys()
                        .resetChannels()
                        .allCommands()));
        RedisAccess deaf = RedisAccess.at(RedisURI.builder(redis.uri())
                .withAuthentication("deaf", "secret")
                .build());
        try (RedisLeaseStore oldStore = RedisLeaseStore.open(deaf, "deaf", lease);
                RedisLeaseStore store = RedisLeaseStore.open(deaf, "deaf", lease);
                ElectionEngine evicted = engine("evicted", oldStore, lease);
                ElectionEngine well = engine("well", store, lease)) {
            Election old = evicted.get(Election.DEFAULT);
            Queue<LeadershipEvent> events = new ConcurrentLinkedQueue<>();
            old.addListener(new EachEvent(events::add));
            evicted.start();
            assertThat(old.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            Election next = well.get(Election.DEFAULT);
            well.start();
            assertThat(next.awaitResult(Duration.ofSeconds(20))).isTrue();

            AbdicationRequest brief = AbdicationRequest.of(Abdication.toAnyone().coolingDownFor(Duration.ofSeconds(6)));
            AbdicationReport report = join(next.requestAbdication(
                            brief.waitingFor(Duration.ofMillis(500)).withForce())
                    .toCompletableFuture());
            assertThat(report.outcome()).isEqualTo(AbdicationOutcome.EVICTED);
            assertThat(next.isLeader())
                    .as("who has forced it hears nothing either")
                    .isTrue();
            FencingToken token = next.leadership().orElseThrow().token();

            Nodes.await("it learns of it").until(() -> old.role() == Role.COOLING_DOWN);
            Nodes.await("it is back").until(() -> old.role() == Role.FOLLOWER);
            assertThat(events)
                    .filteredOn(LeadershipEvent.Lost.class::isInstance)
                    .singleElement()
                    .satisfies(lost ->
                            assertThat(((LeadershipEvent.Lost) lost).reason()).isEqualTo(LossReason.EVICTED));
            assertThat(next.leadership().orElseThrow().token()).isEqualTo(token);
        }
    }

    /** How many requests the leader has said to have received. */
    private static int requestsHeard(Queue<StoreEvent> events) {
        Set<String> requests = new HashSet<>();
        for (StoreEvent event : events) {
            if (event instanceof StoreEvent.Received received
                    && received.message() instanceof NodeMessage.AbdicationHeard heard) {
                requests.add(heard.request());
            }
        }
        return requests.size();
    }

    private Nodes start() {
        Nodes nodes = Nodes.start(3, LEASE, RedisAccess.at(redis.uri()));
        nodes.awaitLeader();
        Nodes.await("all know it").until(() -> nodes.all().stream()
                .allMatch(node -> node.election().leader().isPresent()));
        return nodes;
    }

    private static CompletableFuture<AbdicationReport> request(Node node, AbdicationRequest request) {
        return node.election().requestAbdication(request).toCompletableFuture();
    }

    private static AbdicationReport join(CompletableFuture<AbdicationReport> report) {
        return report.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static List<LeadershipRecord> leaderships(Node node) {
        StoreView view = node.election().lookUp().toCompletableFuture().join();
        return view.leaderships();
    }

    /** Listeners run on the election thread here, so that one that blocks makes the whole node hang. */
    private static ElectionEngine engine(String id, RedisLeaseStore store, Duration lease) {
        return ElectionEngine.over(store)
                .as(new NodeInfo(id, id + ":80"))
                .timing(new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(1)))
                .callbacks(Runnable::run)
                .build();
    }

    private record Blocking(CountDownLatch hangs, CountDownLatch comesBack) implements LeadershipListener {

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            if (hangs.getCount() == 0) {
                return;
            }
            hangs.countDown();
            try {
                comesBack.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
