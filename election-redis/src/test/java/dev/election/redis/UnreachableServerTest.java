package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeadershipEvent;
import dev.election.Role;
import dev.election.StoreProblem;
import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Nodes that start before Redis does wait for it without complaint. */
@RealTime
class UnreachableServerTest {

    /** No pause of the machine ends it. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    @Test
    void without_a_server_nobody_leads_until_there_is_one() {
        int port = Ports.free();
        try (Nodes nodes = Nodes.start(3, LEASE, RedisAccess.at(RedisURI.create("127.0.0.1", port)))) {
            nodes.awaitProblem(StoreProblem.UNREACHABLE, nodes.all());
            assertThat(nodes.all()).allMatch(node -> node.election().role() == Role.FOLLOWER);
            assertThat(nodes.all()).noneMatch(Node::isLeader);
            try (RedisServer server = RedisServer.startAt(RedisBinary.REDIS_7_0, port)) {
                Node leader = nodes.awaitLeader();
                nodes.awaitRecovery();
                int late = Math.toIntExact(nodes.journal().events(LeadershipEvent.StoreFailed.class).stream()
                        .filter(failed -> failed.problem() == StoreProblem.TIMED_OUT)
                        .count());
                assertThat(nodes.journal().events(LeadershipEvent.StoreRecovered.class))
                        .as("one of each node, and another at most for each reply that came late")
                        .hasSizeBetween(3, 3 + late);
                nodes.assertThatLeadershipIsRenewed(leader, leader.token().orElseThrow());
                nodes.end(Node::close);
                assertThat(server.call(redis -> redis.clientList()).lines())
                        .as("connections that are left, but for the one that asks")
                        .hasSize(1);
            }
        }
    }

    @Test
    void nodes_that_never_found_a_server_can_be_closed() {
        Nodes nodes = Nodes.start(2, LEASE, RedisAccess.at(RedisURI.create("127.0.0.1", Ports.free())));
        nodes.awaitProblem(StoreProblem.UNREACHABLE, nodes.all());
        nodes.close();
        assertThat(nodes.journal().tokens()).isEmpty();
    }

    @Test
    void Sentinels_that_are_all_away_are_unreachable() {
        RedisURI uri = RedisURI.Builder.sentinel("127.0.0.1", Ports.free(), "primary")
                .withSentinel("127.0.0.1", Ports.free())
                .build();
        try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(uri))) {
            nodes.awaitProblem(StoreProblem.UNREACHABLE, nodes.all());
            assertThat(nodes.journal().answeredProblems()).containsOnly(StoreProblem.UNREACHABLE);
        }
    }

    @Test
    void a_name_that_leads_nowhere_is_unreachable() {
        try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(RedisURI.create("no-such-host.invalid", 6379)))) {
            nodes.awaitProblem(StoreProblem.UNREACHABLE, nodes.all());
        }
    }
}
