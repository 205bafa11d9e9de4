package dev.election.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.harness.SentinelGroup;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

@OtherServers
class FlappingSentinelsTest {

    private static final Pattern CONNECTIONS = Pattern.compile("total_connections_received:(\\d+)");

    /** Also not by a process that may lead, as here. */
    @Test
    void Sentinels_that_end_their_connections_are_connected_to_less_often_and_cost_no_connection_to_the_server() {
        RedisClient client = RedisClient.create();
        try (SentinelGroup group = SentinelGroup.start(RedisBinary.REDIS_6_2);
                RedisRequests requests =
                        RedisRequests.open(RedisAccess.at(Lettuce.uri(group)), Duration.ofSeconds(15), () -> true)) {
            StatefulConnection<String, String> connection =
                    requests.connection().join();
            group.sentinels().forEach(sentinel -> Nodes.await("the subscription")
                    .until(() -> sentinel.listeners().size() == 1));
            List<StatefulRedisConnection<String, String>> admins = group.sentinels().stream()
                    .map(sentinel -> client.connect(Lettuce.uri(sentinel)))
                    .toList();
            long before = made(admins);

            Nodes.await("ten seconds")
                    .pollInterval(Duration.ofMillis(200))
                    .during(Duration.ofSeconds(10))
                    .until(() -> {
                        admins.forEach(admin -> admin.sync().clientKill(KillArgs.Builder.typePubsub()));
                        return true;
                    });

            assertThat(made(admins) - before)
                    .as("connections to three Sentinels")
                    .isBetween(6L, 30L);
            assertThat(requests.connection().join()).isSameAs(connection);
            assertThat(connection.isOpen()).isTrue();
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    private static long made(List<StatefulRedisConnection<String, String>> admins) {
        return admins.stream()
                .mapToLong(admin -> {
                    Matcher made = CONNECTIONS.matcher(admin.sync().info("stats"));
                    assertThat(made.find()).isTrue();
                    return Long.parseLong(made.group(1));
                })
                .sum();
    }
}
