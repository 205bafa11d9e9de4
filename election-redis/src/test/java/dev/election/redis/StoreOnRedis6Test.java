package dev.election.redis;

import dev.election.harness.RedisBinary;
import dev.election.testing.AnyRedis;
import dev.election.testing.OtherServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on Redis 6.2. In a class of its own: classes run side by side. */
@OtherServers
class StoreOnRedis6Test extends RedisContract {

    @BeforeAll
    void start() {
        open(AnyRedis.embedded(RedisBinary.REDIS_6_2));
    }

    @AfterAll
    void stop() {
        close();
    }
}
