package dev.election.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.harness.SentinelGroup;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.connection.ReconnectPauses;
import dev.election.redis.internal.requests.LuaScript;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@OtherServers
class HangingSentinelTest {

    private static final Duration LEASE = Duration.ofSeconds(16);
    private static final LuaScript ANSWER = new LuaScript("answer", "return {'answer'}");

    @AutoClose
    private final SentinelGroup group = SentinelGroup.start(RedisBinary.REDIS_6_2);

    /** The system accepts what connects to it. */
    @Test
    void a_first_Sentinel_that_accepts_and_never_answers_does_not_delay_each_connection() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                RedisRequests requests = RedisRequests.open(RedisAccess.at(behind(silent)), LEASE, () -> true)) {
            assertThat(answer(requests)).isCompleted();
            List<Duration> waits = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                StatefulConnection<String, String> old = requests.connection().join();
                Nodes.await("a connection that has lasted")
                        .until(() -> requests.age(old).compareTo(ReconnectPauses.longest()) > 0);
                long killed = System.nanoTime();
                Lettuce.call(
                        Lettuce.uri(group.first()),
                        redis -> redis.clientKill(KillArgs.Builder.typeNormal().skipme()));
                Nodes.await("another connection").until(() -> isAnother(requests, old));
                waits.add(Duration.ofNanos(System.nanoTime() - killed));
            }
            assertThat(waits).allSatisfy(wait -> assertThat(wait).isLessThan(LEASE.dividedBy(8)));
        }
    }

    private RedisURI behind(ServerSocket silent) {
        RedisURI.Builder uri = RedisURI.Builder.sentinel("127.0.0.1", silent.getLocalPort(), SentinelGroup.NAME);
        group.sentinels().forEach(sentinel -> uri.withSentinel("127.0.0.1", sentinel.port()));
        return uri.withPassword(SentinelGroup.PASSWORD.toCharArray()).build();
    }

    private static CompletableFuture<List<String>> answer(RedisRequests requests) {
        CompletableFuture<List<String>> answer =
                requests.run("a", ANSWER, new String[] {"a"}).toCompletableFuture();
        Nodes.await("an answer").until(answer::isDone);
        return answer;
    }

    private static boolean isAnother(RedisRequests requests, StatefulConnection<String, String> old) {
        CompletableFuture<StatefulConnection<String, String>> now = requests.connection();
        return now.isDone() && !now.isCompletedExceptionally() && now.join() != old;
    }
}
