package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeadershipEvent.StoreFailed;
import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.OpenedClient;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.testing.LoggedLines;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A process that has little processor time at its start takes long to make its first connection. */
@RealTime
class SlowStartTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

    @AutoClose
    private final LoggedLines log = new LoggedLines(RedisRequests.class.getName());

    @AutoClose
    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void a_process_that_is_slow_before_its_first_packet_does_not_blame_redis() {
        CompletableFuture<Void> loaded = new CompletableFuture<>();
        try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(server.uri()))) {
            Node leader = nodes.awaitLeader();
            // On a machine that is busy, it may have been slow as well.
            log.clear();
            nodes.join(1, slow(loaded));
            Node slow = nodes.others(leader).get(0);
            nodes.assertThatLeadershipIsRenewed(leader, leader.token().orElseThrow());
            loaded.complete(null);
            Nodes.await("the slow one follows")
                    .until(() -> slow.election().leader().isPresent());
            assertThat(nodes.journal().events(StoreFailed.class, slow.id())).isEmpty();
            assertThat(log.withLevels()).singleElement().asString().contains("of processor time: check its CPU limit");
        } finally {
            loaded.complete(null);
        }
    }

    @Test
    void a_server_that_is_silent_from_the_beginning_is_named() {
        server.freeze();
        try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(server.uri()))) {
            nodes.awaitProblem(StoreProblem.TIMED_OUT, nodes.all());
            server.thaw();
            nodes.awaitLeader();
        } finally {
            server.thaw();
        }
    }

    @Test
    void a_process_that_is_stopped_before_its_first_packet_does_not_take_part_afterwards() {
        CompletableFuture<Void> loaded = new CompletableFuture<>();
        try (Nodes nodes = Nodes.start(1, LEASE, slow(loaded))) {
            List<Node> slow = nodes.all();
            loaded.completeOnTimeout(null, 1, TimeUnit.SECONDS);
            nodes.end(Node::close);
            assertThat(slow).noneMatch(Node::isLeader);
            assertThat(nodes.journal().entries()).isEmpty();
        }
    }

    /** Connects once that has completed, as if its classes had been loaded then. */
    private RedisAccess slow(CompletableFuture<Void> loaded) {
        return RedisAccess.by("slow", settings -> {
            RedisClient client = new SlowClient(settings.resources(), server.uri(), loaded);
            client.setOptions(settings.options(ClientOptions.create(), false));
            return new OpenedClient(client, 0, null, () -> client.shutdown(0, 1, TimeUnit.SECONDS));
        });
    }

    private static final class SlowClient extends RedisClient {

        private final CompletableFuture<Void> loaded;

        private SlowClient(ClientResources resources, RedisURI uri, CompletableFuture<Void> loaded) {
            super(resources, uri);
            this.loaded = loaded;
        }

        @Override
        public <K, V> StatefulRedisConnection<K, V> connect(RedisCodec<K, V> codec) {
            loaded.join();
            return super.connect(codec);
        }

        @Override
        public <K, V> StatefulRedisPubSubConnection<K, V> connectPubSub(RedisCodec<K, V> codec) {
            loaded.join();
            return super.connectPubSub(codec);
        }
    }
}
