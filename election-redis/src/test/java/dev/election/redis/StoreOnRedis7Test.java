package dev.election.redis;

import dev.election.harness.RedisBinary;
import dev.election.testing.AnyRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on Redis 7.0. In a class of its own: classes run side by side. */
class StoreOnRedis7Test extends RedisContract {

    @BeforeAll
    void start() {
        open(AnyRedis.embedded(RedisBinary.REDIS_7_0));
    }

    @AfterAll
    void stop() {
        close();
    }
}
