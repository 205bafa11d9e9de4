package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationRequest;
import dev.election.FencingToken;
import dev.election.harness.RedisBinary;
import dev.election.harness.Stalls;
import dev.election.redis.client.RedisAccess;
import dev.election.store.NodeMessage;
import dev.election.store.StoreEvent;
import dev.election.testing.LoggedLines;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Somebody publishes on the channel of an election who is no part of it. */
@RealTime
class HostileEventsTest {

    private static final int COUNT = 3;
    private static final String CHANNEL = Nodes.PREFIX + ":{default}:events";
    private static final String HIGHEST_TOKEN = Long.toString((1L << 53) - 1);
    private static final String A_DAY = millis(Duration.ofDays(1));
    private static final String A_YEAR = millis(Duration.ofDays(365));
    /** No pause of the machine ends it. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration SLACK = Duration.ofSeconds(4);

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election.internal.election");

    @AutoClose
    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void neither_the_highest_token_nor_a_lease_of_a_day_delays_the_successor_of_a_crashed_leader() {
        try (Nodes nodes = Nodes.start(COUNT, LEASE, RedisAccess.at(server.uri()))) {
            Node leader = awaitListeners(nodes);
            FencingToken token = leader.token().orElseThrow();
            publish("acquired", Long.toString(token.value() + 1), now(), A_DAY, "id=ghost", "address=ghost:80");
            publish("acquired", HIGHEST_TOKEN, now(), millis(LEASE), "id=ghost", "address=ghost:80");
            publish("released", HIGHEST_TOKEN, A_YEAR, "ghost");
            awaitWarnings("Acquired");
            awaitWarnings("Released");
            FencingToken next = crash(nodes, leader, LEASE.plus(SLACK));
            assertThat(next.value()).isBetween(token.value(), System.currentTimeMillis());
            nodes.end(Node::crash);
            nodes.join(COUNT);
            FencingToken last = nodes.awaitLeaderAfter(next).token().orElseThrow();
            assertThat(last.value()).isBetween(next.value(), System.currentTimeMillis());
        }
    }

    @Test
    void a_token_within_the_bounds_costs_one_more_lease_and_no_leader_that_is_alive() {
        try (Nodes nodes = Nodes.start(COUNT, LEASE, RedisAccess.at(server.uri()))) {
            Node leader = awaitListeners(nodes);
            FencingToken token = leader.token().orElseThrow();
            String inAnHour = Long.toString(token.value() + Duration.ofHours(1).toMillis());
            publish("acquired", inAnHour, now(), millis(LEASE), "id=ghost", "address=ghost:80");
            publish("roll-call");
            nodes.assertThatLeadershipIsRenewed(leader, token);
            crash(nodes, leader, LEASE.multipliedBy(2).plus(SLACK));
        }
    }

    @Test
    void a_leader_obeys_nobody_who_wants_it_to_stay_out_for_a_year() {
        try (Nodes nodes = Nodes.start(COUNT, LEASE, RedisAccess.at(server.uri()))) {
            Node leader = awaitListeners(nodes);
            FencingToken token = leader.token().orElseThrow();
            publish("abdicate", "r1", token.toString(), "", A_YEAR, "", "0");
            publish("abdicate", "r2", token.toString(), "", "-1", "", "0");
            publish("abdicate", "r3", token.toString(), A_YEAR, "0", "", "0");
            publish("abdicate", "r4", token.toString(), "", "0", "nobody", A_DAY);
            publish("abdicate", "r5\n" + token, token.toString(), "", "0", "", "0");
            awaitWarnings("AbdicationRequested");
            nodes.assertThatLeadershipIsRenewed(leader, token);
        }
    }

    @Test
    void what_is_no_message_is_passed_over() {
        try (Nodes nodes = Nodes.start(COUNT, LEASE, RedisAccess.at(server.uri()))) {
            Node leader = awaitListeners(nodes);
            FencingToken token = leader.token().orElseThrow();
            String next = Long.toString(token.value() + 1);
            publish("acquired", next, now(), millis(LEASE), "id=ghost", "address=" + "x".repeat(2_000_000));
            publish("abdicate" + "\n".repeat(2_000_000));
            publish("");
            publish("acquired");
            publish("acquired", "1e9", now(), "", "id=ghost", "address=ghost:80");
            publish("acquired", "-1", now(), "0", "id=ghost", "address=ghost:80");
            publish("acquired", next, "9223372036854775807", "9223372036854775807", "id=ghost", "address=ghost:80");
            publish("resigning", "r", "9223372036854775807");
            awaitWarnings("AbdicationHeard");
            assertThat(leader.token()).contains(token);
            AbdicationRequest request = AbdicationRequest.of(Abdication.toAnyone());
            assertThat(nodes.others(leader)
                            .get(0)
                            .election()
                            .requestAbdication(request)
                            .toCompletableFuture()
                            .join())
                    .satisfies(report -> assertThat(report.outcome()).isEqualTo(AbdicationOutcome.RELEASED));
            nodes.awaitLeaderAfter(token);
        }
    }

    @Test
    void a_message_that_is_longer_than_any_of_a_node_or_is_none_of_an_election_is_not_looked_at() {
        BlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        StoreEvent last = new StoreEvent.Received(new NodeMessage.AbdicationHeard("r", Duration.ZERO));
        try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(server.uri()), Nodes.PREFIX, LEASE)) {
            store.listen("default", heard::add);
            Nodes.await("the subscription").until(() -> heard.contains(new StoreEvent.Connected()));
            heard.clear();
            server.call(redis -> redis.publish(CHANNEL, "roll-call\n" + "x".repeat(5_000)));
            server.call(redis -> redis.publish(CHANNEL, "roll-call"));
            server.call(redis -> redis.publish(CHANNEL, "present\nn\ni\ntrue"));
            server.call(redis -> redis.publish(CHANNEL, "present\ni\ntrue"));
            server.call(redis -> redis.publish(CHANNEL, "resigning\nr\n0"));
            Nodes.await("the last one").until(() -> heard.contains(last));
            assertThat(heard).containsExactly(new StoreEvent.RollCall(), last);
        }
    }

    private FencingToken crash(Nodes nodes, Node leader, Duration longest) {
        FencingToken token = leader.token().orElseThrow();
        try (Stalls stalls = new Stalls()) {
            long crashed = System.nanoTime();
            leader.crash();
            FencingToken next = nodes.awaitLeaderAfter(token).token().orElseThrow();
            assertThat(stalls.ranSince(crashed)).as("time without a leader").isLessThan(longest);
            return next;
        }
    }

    private Node awaitListeners(Nodes nodes) {
        Node leader = nodes.awaitLeader();
        Nodes.await("all listen")
                .until(() -> server.call(redis -> redis.pubsubNumsub(CHANNEL)).get(CHANNEL) == COUNT);
        Nodes.await("all know the leader").until(() -> nodes.all().stream()
                .allMatch(node -> node.election().leader().isPresent()));
        return leader;
    }

    private void publish(String... lines) {
        String message = String.join("\n", lines);
        long listeners = server.call(redis -> redis.publish(CHANNEL, message));
        assertThat(listeners).isEqualTo(COUNT);
    }

    /** One of each node, once it has read all messages before. */
    private void awaitWarnings(String kind) {
        Nodes.await("every node ignores " + kind)
                .untilAsserted(() -> assertThat(warnings(kind)).isEqualTo(COUNT));
    }

    private long warnings(String kind) {
        return log.warnings().stream()
                .filter(line -> line.contains("(" + kind + ")"))
                .count();
    }

    private static String now() {
        return Long.toString(System.currentTimeMillis());
    }

    private static String millis(Duration time) {
        return Long.toString(time.toMillis());
    }
}
