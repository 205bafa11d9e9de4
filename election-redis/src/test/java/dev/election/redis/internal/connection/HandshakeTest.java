package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a new connection asks before it is used. */
@RealTime
class HandshakeTest {

    private static final Pattern COUNT = Pattern.compile("errorstat_ERR:count=(\\d+)");

    @Test
    void nothing_is_awaited_that_a_lease_does_not_need() throws Exception {
        try (RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0)) {
            // This Redis knows neither CLIENT SETINFO nor CLIENT MAINT_NOTIFICATIONS: it counts an error for each of
            // them, that of a client of this
            // test too.
            long first = errors(redis);
            long second = errors(redis);
            try (RedisLeaseStore store =
                    RedisLeaseStore.open(RedisAccess.at(redis.uri()), "handshake", Duration.ofSeconds(15))) {
                store.ledgerStore()
                        .orElseThrow()
                        .check("default")
                        .toCompletableFuture()
                        .get(20, TimeUnit.SECONDS);

                assertThat(errors(redis) - second)
                        .as("errors since the store has connected, and a client of this test")
                        .isEqualTo(second - first);
            }
        }
    }

    private static long errors(RedisServer redis) {
        Matcher found = COUNT.matcher(redis.call(commands -> commands.info("errorstats")));
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }
}
