package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClientThreadsTest {

    /** The client's other threads may still be opening a connection, as to a member of a Cluster. */
    @Test
    void the_thread_that_carries_the_connections_ends_after_all_others() throws Exception {
        ConnectTimeout timeout = new ConnectTimeout(Duration.ofSeconds(4));
        ClientThreads threads = new ClientThreads(timeout);
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            RedisClient client = RedisClient.create(threads.resources(), server.uri());
            client.connect();

            client.shutdown(0, 1, TimeUnit.SECONDS);

            assertThat(timeout.reading().isShutdown())
                    .as("ends with the client")
                    .isFalse();
        } finally {
            threads.close();
        }
        assertThat(timeout.reading().isTerminated()).as("ends with the store").isTrue();
    }
}
