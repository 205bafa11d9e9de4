package dev.election.redis;

import dev.election.harness.RedisBinary;
import dev.election.testing.AnyRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The members on Redis 7.0. */
class MembersOnRedis7Test extends RedisMembersContract {

    @BeforeAll
    void start() {
        open(AnyRedis.embedded(RedisBinary.REDIS_7_0));
    }

    @AfterAll
    void stop() {
        close();
    }
}
