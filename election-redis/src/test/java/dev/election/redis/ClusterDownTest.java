package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.failure.Failures;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.store.NoAnswer;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A Cluster in which nobody owns the slot of an election, asked by a client that knows of Clusters and by one that does not. */
@RealTime
class ClusterDownTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final int[] SLOTS = IntStream.range(0, SlotHash.SLOT_COUNT).toArray();

    static Stream<Named<Function<RedisServer, RedisAccess>>> clients() {
        return Stream.of(
                Named.of("a plain client", server -> RedisAccess.at(server.uri())),
                Named.of("a Cluster client", server -> RedisAccess.toCluster(List.of(server.uri()))));
    }

    @ParameterizedTest
    @MethodSource("clients")
    void without_an_owner_of_its_slot_nobody_leads_until_there_is_one(Function<RedisServer, RedisAccess> access) {
        try (RedisServer server = server();
                Nodes nodes = Nodes.start(2, LEASE, access.apply(server))) {
            nodes.awaitProblem(StoreProblem.CLUSTER_DOWN, nodes.all());
            server.call(redis -> redis.clusterAddSlots(SLOTS));
            assertThatItPasses(nodes);
        }
    }

    @ParameterizedTest
    @MethodSource("clients")
    void a_leader_whose_slot_loses_its_owner_leads_no_longer_until_there_is_one(
            Function<RedisServer, RedisAccess> access) {
        try (RedisServer server = server()) {
            server.call(redis -> redis.clusterAddSlots(SLOTS));
            try (Nodes nodes = Nodes.start(2, LEASE, access.apply(server))) {
                nodes.awaitLeader();
                nodes.awaitRecovery();
                nodes.journal().turnPage();
                server.call(redis -> redis.clusterDelSlots(SLOTS));
                nodes.awaitNoLeader();
                nodes.awaitProblem(StoreProblem.CLUSTER_DOWN, nodes.all());
                server.call(redis -> redis.clusterAddSlots(SLOTS));
                assertThatItPasses(nodes);
            }
        }
    }

    @Test
    void a_Cluster_that_does_not_say_who_its_members_are_is_slow_and_not_away() {
        try (RedisServer server = server()) {
            server.call(redis -> redis.clusterAddSlots(SLOTS));
            server.freeze();
            assertThat(failureOfConnecting(server.uri()))
                    .extracting(NoAnswer::problem)
                    .isEqualTo(StoreProblem.TIMED_OUT);
        }
    }

    @Test
    void a_Cluster_that_refuses_the_password_says_so() {
        try (RedisServer server = server()) {
            server.call(redis -> redis.configSet("requirepass", "another"));
            RedisURI uri = RedisURI.builder(server.uri())
                    .withPassword("wrong".toCharArray())
                    .build();
            assertThat(failureOfConnecting(uri)).extracting(NoAnswer::problem).isEqualTo(StoreProblem.UNAUTHENTICATED);
        }
    }

    @Test
    void a_Cluster_of_which_no_member_listens_is_away() {
        RedisURI nobody = RedisURI.create("127.0.0.1", Ports.free());
        assertThat(failureOfConnecting(nobody)).extracting(NoAnswer::problem).isEqualTo(StoreProblem.UNREACHABLE);
    }

    private static NoAnswer failureOfConnecting(RedisURI uri) {
        try (RedisRequests requests = RedisRequests.open(RedisAccess.toCluster(List.of(uri)), LEASE, () -> false)) {
            return requests.connection()
                    .handle((connection, failure) -> Failures.noAnswer(failure))
                    .join();
        }
    }

    private static void assertThatItPasses(Nodes nodes) {
        nodes.awaitLeader();
        nodes.awaitRecovery();
        assertThat(nodes.journal().answeredProblems())
                .as("%s", nodes.journal().entries())
                .containsExactly(StoreProblem.CLUSTER_DOWN);
    }

    private static RedisServer server() {
        return RedisServer.start(
                RedisBinary.REDIS_7_0,
                "--cluster-enabled",
                "yes",
                // Also how long a primary that is well again waits before it says so.
                "--cluster-node-timeout",
                "500",
                "--cluster-port",
                Integer.toString(Ports.free()));
    }
}
