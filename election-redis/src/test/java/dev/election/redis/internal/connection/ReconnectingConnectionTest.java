package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@RealTime
class ReconnectingConnectionTest {

    private static final Duration LEASE = Duration.ofSeconds(8);

    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
    private final RedisClient client = RedisClient.create(server.uri());
    private final ConnectThread thread = new ConnectThread("connecting", 1);
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor();
    private final List<StatefulRedisConnection<String, String>> made = new CopyOnWriteArrayList<>();
    private final List<Long> attempts = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    @AfterEach
    void stop() {
        looks.shutdownNow();
        thread.shutdown();
        client.shutdown(0, 1, TimeUnit.SECONDS);
        server.close();
    }

    @Test
    void one_that_speaks_again_while_another_is_made_stays_and_the_other_is_closed() {
        ReconnectingConnection<StatefulRedisConnection<String, String>> connections = connections(this::connect);
        StatefulRedisConnection<String, String> first = connections.current().join();
        gate = new CountDownLatch(1);
        assertThat(connections.suspect(first, silent())).isTrue();
        Nodes.await("the attempt").until(() -> attempts.size() == 2);
        assertThat(connections.suspect(first, silent()))
                .as("while an attempt is under way")
                .isFalse();
        connections.trust(first);
        gate.countDown();
        Nodes.await("the other is closed")
                .until(() -> made.size() == 2 && !made.get(1).isOpen());
        assertThat(connections.now()).isSameAs(first);
        assertThat(first.isOpen()).isTrue();
        assertThat(connections.suspect(first, silent())).isTrue();
        Nodes.await("another").until(() -> connections.now() == made.get(made.size() - 1) && made.size() == 3);
        connections.close();
    }

    @Test
    void one_that_is_silent_again_while_another_is_made_is_replaced() {
        ReconnectingConnection<StatefulRedisConnection<String, String>> connections = connections(this::connect);
        StatefulRedisConnection<String, String> first = connections.current().join();
        gate = new CountDownLatch(1);
        connections.suspect(first, silent());
        Nodes.await("the attempt").until(() -> attempts.size() == 2);
        connections.trust(first);
        connections.suspect(first, silent());
        gate.countDown();
        Nodes.await("another").until(() -> made.size() == 2 && connections.now() == made.get(1));
        connections.close();
    }

    /** As in a Cluster, where they are different nodes. */
    @Test
    void one_on_which_a_source_is_silent_is_replaced_though_another_source_failed_and_answers_again() {
        ReconnectingConnection<StatefulConnection<String, String>> connections = connections(this::connect);
        StatefulConnection<String, String> first = connections.current().join();
        SilenceWatch silence = new SilenceWatch(connections, () -> new ReplyTimeout(LEASE, () -> false), () -> looks);
        gate = new CountDownLatch(1);
        silence.sent(first, "node", "silent");
        Nodes.await("the attempt").until(() -> attempts.size() == 2);
        silence.sent(first, "node", "other").failed();
        silence.sent(first, "node", "other").answered();
        gate.countDown();
        Nodes.await("another").until(() -> made.size() == 2 && connections.now() == made.get(1));
        connections.close();
    }

    /** The timeout is shared and shrinks, so that an attempt may take less than it had before it began. */
    @Test
    void an_attempt_that_timed_out_early_is_followed_by_the_long_pause() {
        ReconnectingConnection<StatefulRedisConnection<String, String>> connections = connections(() -> {
            attempts.add(System.nanoTime());
            throw new RedisConnectionException("Unable to connect", new RedisCommandTimeoutException("too slow"));
        });
        Nodes.await("two attempts").until(() -> attempts.size() >= 2);
        connections.close();
        assertThat(Duration.ofNanos(attempts.get(1) - attempts.get(0))).isGreaterThanOrEqualTo(Duration.ofMillis(499));
    }

    private <C extends StatefulConnection<String, String>> ReconnectingConnection<C> connections(Supplier<C> connect) {
        ReconnectingConnection<C> connections = new ReconnectingConnection<>(
                connect,
                connection -> {},
                thread,
                new ReconnectPauses(LEASE, () -> false),
                new ConnectTimeout(LEASE),
                Duration.ZERO);
        connections.open();
        return connections;
    }

    private StatefulRedisConnection<String, String> connect() {
        attempts.add(System.nanoTime());
        try {
            assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        StatefulRedisConnection<String, String> connection = client.connect();
        made.add(connection);
        return connection;
    }

    private static RedisException silent() {
        return new RedisException("silent");
    }
}
