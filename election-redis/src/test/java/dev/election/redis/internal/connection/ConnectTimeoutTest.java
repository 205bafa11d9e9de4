package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.harness.RedisBinary;
import dev.election.redis.internal.failure.Failures;
import dev.election.redis.internal.failure.StoreClosedException;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectTimeoutTest {

    @Test
    void doubles_with_each_attempt_that_took_all_of_it_up_to_ten_seconds() {
        ConnectTimeout timeout = new ConnectTimeout(Duration.ofSeconds(5));
        assertThat(millis(timeout)).isEqualTo(1250);
        timeOut(timeout);
        assertThat(millis(timeout)).isEqualTo(2500);
        timeOut(timeout);
        timeOut(timeout);
        assertThat(millis(timeout)).isEqualTo(10_000);
        timeOut(timeout);
        assertThat(millis(timeout)).isEqualTo(10_000);
    }

    @Test
    void of_one_connection_is_not_undone_by_the_other_that_was_quick() {
        ConnectTimeout timeout = new ConnectTimeout(Duration.ofSeconds(5));
        timeOut(timeout);
        timeOut(timeout);
        timeOut(timeout);
        timeout.connectedAfter(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(millis(timeout)).isEqualTo(5000);
        timeout.connectedAfter(TimeUnit.MILLISECONDS.toNanos(50));
        timeout.connectedAfter(TimeUnit.MILLISECONDS.toNanos(50));
        assertThat(millis(timeout)).isEqualTo(1250);
    }

    @Test
    void an_attempt_that_begins_after_the_close_says_so() {
        ConnectTimeout timeout = new ConnectTimeout(Duration.ofSeconds(4));
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                ClientThreads threads = new ClientThreads(timeout)) {
            RedisClient client = RedisClient.create(threads.resources(), server.uri());
            timeout.close(new StoreClosedException());

            assertThatThrownBy(client::connect)
                    .satisfies(failure ->
                            assertThat(Failures.noAnswer(failure).detail()).isEqualTo("The store is closed"));
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    @RealTime
    void an_attempt_of_a_process_that_stood_still_is_not_given_up_for_that() throws Exception {
        // Three seconds: no pause of the machine takes all of it before this thread has begun to stand still.
        ConnectTimeout timeout = new ConnectTimeout(Duration.ofSeconds(12));
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                ClientThreads threads = new ClientThreads(timeout)) {
            RedisClient client = RedisClient.create(threads.resources(), server.uri());
            // On a busy machine the first may take too long.
            Nodes.await("a connection").ignoreExceptions().until(() -> connects(client));
            timeout.connectedAfter(0);
            server.freeze();
            CompletableFuture<StatefulRedisConnection<String, String>> attempt =
                    client.connectAsync(StringCodec.UTF8, server.uri()).toCompletableFuture();
            CountDownLatch over = new CountDownLatch(1);
            // The attempt has begun by then: this is behind it.
            timeout.reading().schedule(() -> over.await(20, TimeUnit.SECONDS), 200, TimeUnit.MILLISECONDS);
            TimeUnit.NANOSECONDS.sleep(2 * timeout.nanos() + TimeUnit.MILLISECONDS.toNanos(200));
            over.countDown();
            // Whatever was due is done before this.
            timeout.reading().schedule(server::thaw, 50, TimeUnit.MILLISECONDS).get(20, TimeUnit.SECONDS);
            attempt.get(20, TimeUnit.SECONDS).close();
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    @RealTime
    void the_handshake_of_a_process_that_was_never_connected_may_take_the_longest() throws Exception {
        ConnectTimeout timeout = new ConnectTimeout(Duration.ofSeconds(4));
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                ClientThreads threads = new ClientThreads(timeout)) {
            RedisClient client = RedisClient.create(threads.resources(), server.uri());
            server.freeze();
            CompletableFuture<StatefulRedisConnection<String, String>> first =
                    client.connectAsync(StringCodec.UTF8, server.uri()).toCompletableFuture();
            TimeUnit.NANOSECONDS.sleep(2 * timeout.nanos());
            server.thaw();
            first.get(20, TimeUnit.SECONDS).close();
            timeout.connectedAfter(0);
            server.freeze();
            CompletableFuture<StatefulRedisConnection<String, String>> second =
                    client.connectAsync(StringCodec.UTF8, server.uri()).toCompletableFuture();
            assertThat(second).failsWithin(timeout.longest());
            server.thaw();
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    private static boolean connects(RedisClient client) {
        client.connect().close();
        return true;
    }

    private static void timeOut(ConnectTimeout timeout) {
        timeout.timedOutAfter(timeout.nanos());
    }

    private static long millis(ConnectTimeout timeout) {
        return TimeUnit.NANOSECONDS.toMillis(timeout.nanos());
    }
}
