package dev.election.redis;

import dev.election.harness.RedisBinary;
import dev.election.testing.AnyRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract on Redis 6.2. In a class of its own: classes run side by side. */
@Tag("slow")
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
