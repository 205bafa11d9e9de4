package dev.election.redis;

import dev.election.testing.RedisBinary;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;

/** The contract on every version of Redis that is at hand. */
class RedisLeaseStoreTest {

    @Nested
    class On_redis_7_0 extends EmbeddedContract {
        On_redis_7_0() {
            super(RedisBinary.REDIS_7_0);
        }
    }

    @Nested
    class On_redis_6_2 extends EmbeddedContract {
        On_redis_6_2() {
            super(RedisBinary.REDIS_6_2);
        }
    }

    abstract static class EmbeddedContract extends RedisContract {

        private final RedisServer server;

        EmbeddedContract(RedisBinary binary) {
            this.server = RedisServer.start(binary);
        }

        @Override
        RedisURI server() {
            return server.uri();
        }

        @AfterAll
        void stopServer() {
            server.close();
        }
    }
}
