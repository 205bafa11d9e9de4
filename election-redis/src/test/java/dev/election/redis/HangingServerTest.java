package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.harness.Stalls;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A server that hangs for less than a lease changes nothing; one that hangs for longer leaves nobody leading meanwhile. */
@RealTime
class HangingServerTest {

    /** No pause of the machine ends it. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final Duration SHORT = LEASE.dividedBy(4);

    /** Where its end is waited for. */
    private static final Duration SHORT_LEASE = Duration.ofMillis(1500);

    private static final Duration LONG = SHORT_LEASE.plus(SHORT_LEASE.dividedBy(4));

    @AutoClose
    private final Opened opened = new Opened();

    private final RedisServer server =
            opened.add(RedisServer.start(RedisBinary.REDIS_7_0, "--enable-debug-command", "yes"));
    private Nodes nodes;
    private Node leader;
    private FencingToken token;

    private void lead(Duration lease) {
        nodes = opened.add(Nodes.start(3, lease, RedisAccess.at(server.uri())));
        leader = nodes.awaitLeader();
        token = leader.token().orElseThrow();
        nodes.awaitRecovery();
        nodes.journal().turnPage();
    }

    @Test
    void a_server_that_forgets_the_scripts_is_told_them_again() {
        lead(LEASE);
        server.call(redis -> redis.scriptFlush());
        nodes.assertThatLeadershipIsRenewed(leader, token);
        assertThat(nodes.journal().answeredProblems()).isEmpty();
    }

    @Test
    void a_leader_that_loses_its_connections_opens_others_and_goes_on() {
        lead(LEASE);
        server.call(redis -> redis.clientKill(KillArgs.Builder.typeNormal().skipme()));
        nodes.assertThatLeadershipIsRenewed(leader, token);
    }

    @Test
    void a_pause_shorter_than_the_lease_changes_nothing() {
        lead(LEASE);
        server.call(redis -> redis.clientPause(SHORT.toMillis()));
        nodes.assertThatLeadershipIsRenewed(leader, token);
    }

    @Test
    void a_pause_longer_than_the_lease_ends_the_leadership_and_then_somebody_leads() {
        lead(SHORT_LEASE);
        server.call(redis -> redis.clientPause(LONG.toMillis()));
        // How long nobody leads then is less than this thread may stand still.
        Nodes.await("the loss").until(() -> nodes.journal().events(LeadershipEvent.Lost.class).stream()
                .anyMatch(lost -> lost.token().equals(token)));
        nodes.awaitLeaderAfter(token);
        assertThat(nodes.journal().problems()).contains(StoreProblem.TIMED_OUT);
    }

    @Test
    void a_server_asleep_for_less_than_the_lease_changes_nothing() {
        lead(LEASE);
        server.call(redis -> debugSleep(redis, SHORT));
        nodes.assertThatLeadershipIsRenewed(leader, token);
    }

    @Test
    void a_server_asleep_for_longer_than_the_lease_gets_a_new_leader_when_it_wakes() {
        lead(SHORT_LEASE);
        server.call(redis -> debugSleep(redis, LONG));
        nodes.awaitLeaderAfter(token);
    }

    @Test
    void a_server_frozen_for_less_than_the_lease_changes_nothing() {
        lead(LEASE);
        server.freeze();
        nodes.awaitProblem(StoreProblem.TIMED_OUT, List.of(leader));
        server.thaw();
        nodes.awaitRecovery();
        nodes.assertThatLeadershipIsRenewed(leader, token);
        assertThat(nodes.journal().problems()).containsExactly(StoreProblem.TIMED_OUT);
    }

    @Test
    void a_server_frozen_for_longer_than_the_lease_leaves_nobody_leading_and_then_somebody() {
        lead(SHORT_LEASE);
        server.freeze();
        nodes.awaitNoLeader();
        server.thaw();
        nodes.awaitLeaderAfter(token);
        nodes.awaitRecovery();
        assertThat(nodes.journal().events(LeadershipEvent.Lost.class))
                .extracting(LeadershipEvent.Lost::token)
                .containsOnlyOnce(token);
        assertThat(nodes.journal().problems()).containsExactly(StoreProblem.TIMED_OUT);
    }

    @Test
    void a_leader_that_stops_while_its_server_is_frozen_is_held_up_for_little_more_than_one_request() {
        Duration lease = Duration.ofSeconds(15);
        RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(server.uri()), "frozen", lease);
        ElectionEngine engine = ElectionEngine.over(store)
                .timing(new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(30)))
                .build();
        Election election = engine.get("e");
        engine.start();
        Nodes.await("it leads").until(election::isLeader);
        server.freeze();
        Duration engineTook;
        Duration took;
        try (Stalls stalls = new Stalls()) {
            long begun = System.nanoTime();
            engine.close();
            engineTook = stalls.ranSince(begun);
            store.close();
            took = stalls.ranSince(begun);
        }
        server.thaw();
        // A request is waited for for a sixth of the lease.
        assertThat(engineTook).as("less than two requests").isLessThan(lease.dividedBy(3));
        assertThat(took)
                .as("less than three, of which the engine took %s", engineTook)
                .isLessThan(lease.dividedBy(2));
    }

    private static String debugSleep(RedisCommands<String, String> redis, Duration time) {
        return redis.dispatch(
                CommandType.DEBUG,
                new StatusOutput<>(StringCodec.UTF8),
                new CommandArgs<>(StringCodec.UTF8).add("SLEEP").add(time.toMillis() / 1000.0));
    }
}
