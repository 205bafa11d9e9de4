package dev.election.redis.internal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisCluster;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.failure.Failures;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where a reply is lost on the way, those after it are not taken for replies to the requests before. */
@OtherServers
class MisplacedReplyTest {

    private static final LuaScript ECHO = new LuaScript("echo", "return {'you said', ARGV[1]}");

    @Test
    void no_request_is_told_the_reply_to_another_and_the_connection_is_given_up() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            assertThatTheConnectionIsGivenUp(RedisAccess.at(server.uri()));
        }
    }

    @Test
    void in_a_Cluster_neither_though_other_members_are_in_step() {
        try (RedisCluster cluster = RedisCluster.start()) {
            assertThatTheConnectionIsGivenUp(RedisAccess.toCluster(Lettuce.uris(cluster)));
        }
    }

    @Test
    void an_empty_reply_is_one_to_nobody() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_6_2);
                RedisRequests requests = open(RedisAccess.at(server.uri()))) {
            LuaScript silent = new LuaScript("silent", "return {}");
            assertThat(run(requests, silent, "").join()).isEmpty();
            assertThat(run(requests, ECHO, "").join()).containsExactly("you said", "");
        }
    }

    private static void assertThatTheConnectionIsGivenUp(RedisAccess access) {
        try (RedisRequests requests = open(access)) {
            Nodes.await("an answer").until(() -> isAnswered(requests));
            StatefulConnection<String, String> connection =
                    requests.connection().join();
            loseAReply(connection);
            List<CompletableFuture<List<String>>> replies = Stream.of("a", "b", "c", "d")
                    .map(what -> run(requests, ECHO, what))
                    .toList();
            assertThat(replies).allSatisfy(reply -> assertThat(reply)
                    .failsWithin(Duration.ofSeconds(20))
                    .withThrowableThat()
                    .satisfies(failure ->
                            assertThat(Failures.noAnswer(failure).problem()).isEqualTo(StoreProblem.UNREACHABLE)));
            Nodes.await("an answer over another connection").until(() -> isAnswered(requests));
            assertThat(requests.connection().join()).isNotSameAs(connection);
        }
    }

    /** The server answers neither this nor what comes after it, and the client does not know. */
    private static void loseAReply(StatefulConnection<String, String> connection) {
        CommandArgs<String, String> skip =
                new CommandArgs<>(StringCodec.UTF8).add("REPLY").add("SKIP");
        CompletionStage<?> unused =
                toOwner(connection).async().dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), skip);
    }

    private static StatefulRedisConnection<String, String> toOwner(StatefulConnection<String, String> connection) {
        if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
            RedisURI owner = cluster.getPartitions()
                    .getMasterBySlot(SlotHash.getSlot("k"))
                    .getUri();
            return cluster.getConnection(owner.getHost(), owner.getPort());
        }
        return (StatefulRedisConnection<String, String>) connection;
    }

    private static RedisRequests open(RedisAccess access) {
        return RedisRequests.open(access, Duration.ofSeconds(15), () -> true);
    }

    private static boolean isAnswered(RedisRequests requests) {
        return run(requests, ECHO, "x")
                .handle((reply, failure) -> failure == null)
                .join();
    }

    private static CompletableFuture<List<String>> run(RedisRequests requests, LuaScript script, String what) {
        return requests.run("k", script, new String[] {"k"}, what).toCompletableFuture();
    }
}
