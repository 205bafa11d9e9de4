package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.harness.RedisCluster;
import dev.election.harness.RedisProcess;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.failure.Failures;
import dev.election.redis.internal.requests.LuaScript;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseRequest;
import dev.election.testing.Lettuce;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Each election lives in one slot of a Cluster and follows it to another owner. */
@OtherServers
class RedisClusterTest {

    /** Outlasts a promotion and any pause of the machine. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    /** Of connections without an election. A request may take an eighth of it. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(2);

    private static final ElectionKeys KEYS = new ElectionKeys(Nodes.PREFIX);
    /** Keeps the server busy for as many milliseconds as are said. */
    private static final LuaScript SPIN = new LuaScript(
            "spin",
            "local function now() local t = redis.call('TIME')"
                    + " return t[1] * 1000 + t[2] / 1000 end"
                    + " local till = now() + ARGV[1] repeat until now() >= till return {'done'}");

    private static final LuaScript ANSWER = new LuaScript("answer", "return {'answer'}");

    @AutoClose
    private final RedisCluster cluster = RedisCluster.start();

    @Test
    void two_elections_live_on_two_owners_and_one_outlives_the_owner_of_the_other() {
        String here = "here";
        String elsewhere = "elsewhere";
        assertThat(SlotHash.getSlot(KEYS.lease(here))).isNotEqualTo(SlotHash.getSlot(KEYS.lease(elsewhere)));
        RedisProcess owner = cluster.owner(KEYS.lease(here));
        assertThat(owner).isNotSameAs(cluster.owner(KEYS.lease(elsewhere)));
        RedisAccess access = RedisAccess.toCluster(Lettuce.uris(cluster));
        try (Nodes first = Nodes.start(3, LEASE, access, here);
                Nodes second = Nodes.start(3, LEASE, access, elsewhere)) {
            FencingToken before = first.awaitLeader().token().orElseThrow();
            second.awaitLeader();
            owner.kill();
            cluster.awaitPromotion(KEYS.lease(here));
            first.awaitRecovery();
            Node leader = first.awaitLeader();
            FencingToken after = leader.token().orElseThrow();
            first.assertThatLeadershipIsRenewed(leader, after);
            assertThat(after.value()).isGreaterThanOrEqualTo(before.value());
            second.awaitRecovery();
            second.awaitLeader();
        }
    }

    @Test
    void an_owner_that_freezes_and_thaws_after_its_replica_was_promoted_brings_no_old_leadership_back() {
        RedisProcess owner = cluster.owner(KEYS.lease("default"));
        try (Nodes nodes = Nodes.start(3, LEASE, RedisAccess.toCluster(Lettuce.uris(cluster)))) {
            FencingToken before = nodes.awaitLeader().token().orElseThrow();
            owner.freeze();
            cluster.awaitPromotion(KEYS.lease("default"));
            owner.thaw();
            nodes.awaitRecovery();
            Node leader = nodes.awaitLeader();
            FencingToken after = leader.token().orElseThrow();
            nodes.assertThatLeadershipIsRenewed(leader, after);
            assertThat(after.value()).isGreaterThanOrEqualTo(before.value());
        }
    }

    /** A connection to a member is made when the first request needs it, and the requests until then wait for it. */
    @Test
    void a_release_does_not_overtake_a_campaign_that_waits_for_the_connection_to_the_member() {
        Duration lease = Duration.ofSeconds(20);
        for (int i = 0; i < 12; i++) {
            Candidate candidate = new Candidate("e" + i, "candidacy", new NodeInfo("one", "one:80"));
            CampaignRequest campaign = new CampaignRequest(candidate, lease, 0, Duration.ZERO);
            try (RedisLeaseStore store =
                    RedisLeaseStore.open(RedisAccess.toCluster(Lettuce.uris(cluster)), "order", lease)) {
                Nodes.await("the settle time to end")
                        .until(() ->
                                store.campaign(campaign).toCompletableFuture().join() instanceof CampaignReply.Granted);
                store.release(new ReleaseRequest(candidate, null, lease, LossReason.STOPPED))
                        .toCompletableFuture()
                        .join();
            }
            try (RedisLeaseStore store =
                    RedisLeaseStore.open(RedisAccess.toCluster(Lettuce.uris(cluster)), "order", lease)) {
                var granted = store.campaign(campaign).toCompletableFuture();
                store.release(new ReleaseRequest(candidate, null, lease, LossReason.STOPPED))
                        .toCompletableFuture()
                        .join();
                granted.join();
                var view = ((ReadReply.Read)
                                store.read("e" + i).toCompletableFuture().join())
                        .view();
                assertThat(view.leader())
                        .as("of e%d, after %s", i, granted.join())
                        .isEmpty();
            }
        }
    }

    @Test
    void a_frozen_owner_is_left_though_the_others_answer_all_the_time() {
        String here = KEYS.lease("here");
        String elsewhere = KEYS.lease("elsewhere");
        // Otherwise the others say sooner or later that the Cluster is down, which costs the connection as well.
        cluster.members()
                .forEach(member ->
                        Lettuce.call(member, redis -> redis.configSet("cluster-require-full-coverage", "no")));
        AtomicBoolean over = new AtomicBoolean();
        // A follower, which waits for a moment before it connects again.
        RedisAccess access = RedisAccess.toCluster(Lettuce.uris(cluster));
        try (RedisRequests requests = RedisRequests.open(access, SHORT_LEASE, () -> false)) {
            Nodes.await("an answer of both").until(() -> isAnswered(requests, here) && isAnswered(requests, elsewhere));
            askAgainAndAgain(requests, elsewhere, over);
            cluster.owner(here).freeze();
            Nodes.await("an answer of the promoted replica").until(() -> isAnswered(requests, here));
        } finally {
            over.set(true);
        }
    }

    @Test
    void elections_of_other_owners_go_on_while_one_is_dead() {
        String here = KEYS.lease("here");
        String elsewhere = KEYS.lease("elsewhere");
        // Otherwise all say that the Cluster is down until the replica is promoted.
        cluster.members()
                .forEach(member ->
                        Lettuce.call(member, redis -> redis.configSet("cluster-require-full-coverage", "no")));
        RedisAccess access = RedisAccess.toCluster(Lettuce.uris(cluster));
        try (RedisRequests requests = RedisRequests.open(access, SHORT_LEASE, () -> true)) {
            Nodes.await("an answer of both").until(() -> isAnswered(requests, here) && isAnswered(requests, elsewhere));
            long killed = System.nanoTime();
            cluster.owner(here).kill();
            Nodes.await("an answer of the promoted replica").until(() -> {
                boolean isAnswered = isAnswered(requests, here);
                Duration age = requests.age(requests.connection().join());
                assertThat(age).as("whole").isLessThan(Duration.ofNanos(System.nanoTime() - killed));
                assertThat(ask(requests, elsewhere)
                                .orTimeout(20, TimeUnit.SECONDS)
                                .join())
                        .containsExactly("answer");
                return isAnswered;
            });
        }
    }

    @Test
    void a_password_that_was_changed_is_told_though_the_connection_counts_as_one_of_which_a_part_is_dead() {
        RedisAccess access = RedisAccess.toCluster(Lettuce.uris(cluster));
        try (RedisRequests requests = RedisRequests.open(access, SHORT_LEASE, () -> true)) {
            Nodes.await("an answer").until(() -> isAnswered(requests, "here"));
            cluster.members()
                    .forEach(member -> Lettuce.call(member, redis -> {
                        redis.configSet("requirepass", "another");
                        return redis.clientKill(KillArgs.Builder.skipme());
                    }));
            Nodes.await("the reason").until(() -> ask(requests, "here")
                    .handle((reply, failure) ->
                            failure != null && Failures.noAnswer(failure).problem() == StoreProblem.UNAUTHENTICATED)
                    .join());
        }
    }

    @Test
    void a_replica_that_hangs_does_not_delay_a_new_connection() {
        Duration lease = Duration.ofSeconds(32);
        String here = KEYS.lease("here");
        RedisAccess access = RedisAccess.toCluster(Lettuce.uris(cluster));
        try (RedisRequests requests = RedisRequests.open(access, lease, () -> true)) {
            Nodes.await("an answer").until(() -> isAnswered(requests, here));
            cluster.replica(here).freeze();
            List<Duration> waits = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                StatefulConnection<String, String> old = requests.connection().join();
                Nodes.await("a connection that has lasted")
                        .until(() -> requests.age(old).compareTo(Duration.ofMillis(500)) > 0);
                long killed = System.nanoTime();
                Lettuce.call(
                        cluster.owner(here),
                        redis -> redis.clientKill(KillArgs.Builder.typeNormal().skipme()));
                Nodes.await("an answer over another connection")
                        .until(() -> isAnswered(requests, here)
                                && requests.connection().join() != old);
                waits.add(Duration.ofNanos(System.nanoTime() - killed));
            }
            assertThat(waits).allSatisfy(wait -> assertThat(wait).isLessThan(lease.dividedBy(8)));
        }
    }

    @Test
    void a_slow_member_does_not_make_another_that_is_dead_look_slow() {
        Duration lease = Duration.ofSeconds(24);
        String slow = KEYS.lease("here");
        String dead = KEYS.lease("elsewhere");
        // Neither is replaced meanwhile.
        cluster.members()
                .forEach(member -> Lettuce.call(member, redis -> redis.configSet("cluster-node-timeout", "60000")));
        RedisAccess access = RedisAccess.toCluster(Lettuce.uris(cluster));
        try (RedisRequests requests = RedisRequests.open(access, lease, () -> true)) {
            for (int i = 0; i < 5; i++) {
                Nodes.await("an answer of both").until(() -> isAnswered(requests, slow) && isAnswered(requests, dead));
            }
            StatefulConnection<String, String> used = requests.connection().join();
            CompletableFuture<List<String>> late =
                    requests.run(slow, SPIN, new String[] {slow}, "6500").toCompletableFuture();
            Nodes.await("a connection beside the one on which nothing is heard")
                    .until(() -> requests.connection().join() != used);
            Nodes.await("an answer").until(() -> isAnswered(requests, dead));
            assertThat(late.orTimeout(20, TimeUnit.SECONDS).join()).containsExactly("done");
            StatefulConnection<String, String> present = requests.connection().join();
            cluster.owner(dead).freeze();
            long asked = System.nanoTime();
            ask(requests, dead);
            Nodes.await("another connection").until(() -> requests.connection().join() != present);
            // An eighth of the lease, and the time to connect. It would be half of it and that time by what the slow
            // one took.
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(lease.dividedBy(2));
        }
    }

    private static boolean isAnswered(RedisRequests requests, String key) {
        return ask(requests, key)
                .completeOnTimeout(List.of(), 1, TimeUnit.SECONDS)
                .exceptionally(failure -> List.of())
                .join()
                .contains("answer");
    }

    private static void askAgainAndAgain(RedisRequests requests, String key, AtomicBoolean over) {
        CompletionStage<?> unused = ask(requests, key).whenCompleteAsync((reply, failure) -> {
            if (!over.get()) {
                askAgainAndAgain(requests, key, over);
            }
        });
    }

    private static CompletableFuture<List<String>> ask(RedisRequests requests, String key) {
        return requests.run(key, ANSWER, new String[] {key}).toCompletableFuture();
    }
}
