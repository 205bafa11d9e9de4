package dev.election.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Lettuce;
import dev.election.testing.LoggedLines;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@RealTime
class PrimaryWatchTest {

    @AutoClose
    private final LoggedLines log = new LoggedLines(PrimaryWatch.class.getName());

    /** Any server with a password will do for the Sentinel. */
    @Test
    void an_operator_hears_once_that_the_sentinels_let_nobody_watch() {
        try (RedisServer sentinel = RedisServer.start(RedisBinary.REDIS_6_2, "--requirepass", "secret")) {
            RedisURI uri = RedisURI.Builder.sentinel("127.0.0.1", sentinel.port(), "primary")
                    .build();
            try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(uri), "election", Duration.ofSeconds(8))) {
                store.listen("default", event -> {});
                Nodes.await("the warning").until(() -> !log.warnings().isEmpty());
                Nodes.await("many more attempts")
                        .during(Duration.ofSeconds(2))
                        .until(() -> log.warnings().size() == 1);
                assertThat(log.warnings())
                        .first()
                        .asString()
                        .contains("No Sentinel could be watched", "credentials", "UNAUTHENTICATED");
                RedisURI admin = RedisURI.builder(sentinel.uri())
                        .withPassword("secret".toCharArray())
                        .build();
                Lettuce.call(admin, redis -> redis.configSet("requirepass", ""));
                Nodes.await("the watch").until(() -> sentinel.<String>call(redis -> redis.clientList())
                        .contains(" sub=1 "));
            }
            assertThat(log.warnings()).hasSize(1);
        }
    }
}
