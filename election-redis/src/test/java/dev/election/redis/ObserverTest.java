package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.NodeInfo;
import dev.election.Role;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** An observer of candidates on a real Redis. */
@RealTime
class ObserverTest {

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");

    @AutoClose
    private final Opened opened = new Opened();

    private final RedisServer redis = opened.add(RedisServer.start(RedisBinary.REDIS_7_0));
    private final RedisLeaseStore store = opened.add(open());
    private final ElectionEngine engine = opened.add(ElectionEngine.over(store)
            .as(new NodeInfo("observer", "observer:80"))
            .timing(Timing.ofLease(LEASE))
            .role(AssignedRole.OBSERVER)
            .build());

    @Test
    void an_observer_sees_each_leader_and_leads_as_soon_as_it_is_a_candidate() throws Exception {
        Election observed = engine.get(Election.DEFAULT);
        engine.start();
        try (Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(redis.uri()))) {
            Node first = nodes.awaitLeader();
            assertThat(observed.awaitResult(Duration.ofSeconds(10))).isTrue();
            FencingToken token = awaitSeen(observed, first);
            first.election().abdicate().toCompletableFuture().get(10, TimeUnit.SECONDS);
            Node second = nodes.awaitLeaderAfter(token);
            awaitSeen(observed, second);
            second.crash();
            Node third = nodes.awaitLeaderAfter(token);
            awaitSeen(observed, third);
            assertThat(observed.role()).isEqualTo(Role.OBSERVER);
            nodes.end(Node::close);
            Nodes.await("nobody leads").until(() -> observed.leader().isEmpty());
            observed.setRole(AssignedRole.CANDIDATE).toCompletableFuture().get(10, TimeUnit.SECONDS);
            assertThat(observed.awaitLeadership(Duration.ofSeconds(10))).isTrue();
            observed.setRole(AssignedRole.OBSERVER).toCompletableFuture().get(10, TimeUnit.SECONDS);
            assertThat(observed.lookUp()
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS)
                            .leader())
                    .isEmpty();
        }
    }

    @Test
    void an_observer_is_one_request_a_lease() throws Exception {
        try (RedisLeaseStore leading = open()) {
            Candidate candidate = new Candidate(Election.DEFAULT, "c", new NodeInfo("first", "first:80"));
            Nodes.await("a grant").until(() -> campaign(leading, candidate) instanceof CampaignReply.Granted);
            Election observed = engine.get(Election.DEFAULT);
            engine.start();
            assertThat(observed.awaitResult(Duration.ofSeconds(10))).isTrue();
            awaitScripts(scripts() + 1);
            long before = scripts();
            long begun = System.nanoTime();
            int leases = 4;
            awaitScripts(before + leases);
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            // The first may have been made long before it was seen.
            assertThat(took)
                    .as("the time of %d requests", leases)
                    .isBetween(LEASE.multipliedBy(leases - 1), LEASE.multipliedBy(leases + 1));
            assertThat(observed.leader().orElseThrow().node()).isEqualTo("first");
        }
    }

    /** A lease so long that nobody needs to renew it: the requests are those of the observer alone. */
    private static CampaignReply campaign(RedisLeaseStore store, Candidate candidate) throws Exception {
        return store.campaign(new CampaignRequest(candidate, Duration.ofMinutes(5), 0, Duration.ZERO))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    private static FencingToken awaitSeen(Election observed, Node leader) {
        return Nodes.await("the observer sees " + leader)
                .until(
                        () -> observed.leader().filter(seen -> seen.node().equals(leader.id())),
                        seen -> seen.isPresent())
                .orElseThrow()
                .token();
    }

    private void awaitScripts(long count) {
        Awaitility.await("requests").atMost(Duration.ofSeconds(30)).until(() -> scripts() >= count);
    }

    private long scripts() {
        Matcher calls = SCRIPTS.matcher(redis.call(commands -> commands.info("commandstats")));
        long sum = 0;
        while (calls.find()) {
            sum += Long.parseLong(calls.group(1));
        }
        return sum;
    }

    private RedisLeaseStore open() {
        return RedisLeaseStore.open(RedisAccess.at(redis.uri()), Nodes.PREFIX, LEASE);
    }
}
