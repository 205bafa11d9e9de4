package dev.election.redis.internal.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Link;
import dev.election.harness.RedisBinary;
import dev.election.redis.internal.connection.ClientThreads;
import dev.election.redis.internal.connection.ConnectThread;
import dev.election.redis.internal.connection.ConnectTimeout;
import dev.election.redis.internal.connection.ReconnectPauses;
import dev.election.redis.internal.topology.RedisConnector;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.ProtocolVersion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A connection on which nothing happens looks like one that is dead. */
@RealTime
class EventsWatchTest {

    private static final Duration QUIET = Duration.ofMillis(600);
    private static final Duration TIMEOUT = Duration.ofMillis(600);

    /** Longer than any pause of the machine. */
    private static final Duration LONG = Duration.ofMillis(2500);

    @AutoClose
    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    private final List<String> heard = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void a_connection_behind_a_proxy_that_swallows_everything_is_replaced(ProtocolVersion protocol) {
        try (Link link = new Link(server.port());
                Listening listening =
                        new Listening(RedisURI.create("127.0.0.1", link.port()), protocol, QUIET, TIMEOUT)) {
            listening.awaitMessage("before");
            link.stallOpenConnections(Duration.ofMinutes(2));
            listening.awaitMessage("after");
        }
    }

    @ParameterizedTest
    @EnumSource(ProtocolVersion.class)
    void one_that_is_alive_is_kept_and_asked_once_in_each_quiet_time(ProtocolVersion protocol) {
        try (Listening listening = new Listening(server.uri(), protocol, LONG, LONG)) {
            listening.awaitMessage("first");
            long connections = Lettuce.connectionsMade(server.uri());
            long begun = System.nanoTime();
            long pings = pings();
            Nodes.await("four quiet times").during(LONG.multipliedBy(4)).until(() -> true);
            long asked = pings() - pings;
            long quietTimes = (System.nanoTime() - begun) / LONG.toNanos();
            assertThat(asked).isBetween(2L, quietTimes + 1);
            // This look, and those at the statistics before.
            assertThat(Lettuce.connectionsMade(server.uri()) - connections).isEqualTo(3);
            listening.awaitMessage("last");
        }
    }

    @Test
    void one_on_which_something_is_heard_is_asked_nothing() {
        try (Listening listening = new Listening(server.uri(), ProtocolVersion.RESP3, LONG, LONG)) {
            listening.awaitMessage("first");
            long pings = pings();
            Nodes.await("one and a half quiet times")
                    .pollInterval(LONG.dividedBy(40))
                    .during(LONG.plus(LONG.dividedBy(2)))
                    .until(() -> server.call(redis -> redis.publish("channel", "more")) == 1);
            assertThat(pings() - pings).isZero();
        }
    }

    @Test
    void a_channel_that_is_refused_is_heard_once_the_server_allows_it() {
        server.call(redis -> redis.aclSetuser(
                "deaf", AclSetuserArgs.Builder.on().nopass().allCommands().resetChannels()));
        RedisURI deaf =
                RedisURI.builder(server.uri()).withAuthentication("deaf", "any").build();
        try (Listening listening = new Listening(deaf, ProtocolVersion.RESP3, QUIET, LONG)) {
            Nodes.await("the refusal").until(() -> heard.contains("refused"));

            server.call(redis ->
                    redis.aclSetuser("deaf", AclSetuserArgs.Builder.on().channelPattern("chan*")));

            listening.awaitMessage("at last");
            Nodes.await("the news of the subscription").until(() -> heard.contains("connected"));
            assertThat(heard).startsWith("refused").containsOnlyOnce("refused");
        }
    }

    private long pings() {
        return server.call(redis -> redis.info("commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_ping:calls="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                .findFirst()
                .orElse(0);
    }

    /** To one channel. */
    private final class Listening implements AutoCloseable {

        private final ConnectTimeout timeout = new ConnectTimeout(Duration.ofSeconds(4));
        private final ClientThreads threads = new ClientThreads(timeout);
        private final ConnectThread connecting = new ConnectThread("election-redis", 1);
        private final RedisClient client;
        private final EventChannels channels;

        private Listening(RedisURI uri, ProtocolVersion protocol, Duration quiet, Duration signOfLife) {
            client = RedisClient.create(threads.resources(), uri);
            client.setOptions(ClientOptions.builder()
                    .autoReconnect(false)
                    .protocolVersion(protocol)
                    .build());
            channels = new EventChannels(
                    RedisConnector.of(client, Duration.ofSeconds(4)),
                    connecting,
                    new ReconnectPauses(Duration.ofSeconds(4), () -> true),
                    timeout,
                    new IdleCheck(quiet, signOfLife),
                    new Refusal("", ""));
            channels.listen(
                    "channel",
                    new ChannelListener<>(
                            Optional::of, () -> "connected", since -> "anew", Optional.of("refused"), heard::add));
            channels.open();
        }

        private void awaitMessage(String message) {
            Nodes.await(message).until(() -> {
                server.call(redis -> redis.publish("channel", message));
                return heard.contains(message);
            });
        }

        @Override
        public void close() {
            channels.close();
            connecting.shutdown();
            client.shutdown(0, 1, TimeUnit.SECONDS);
            threads.close();
        }
    }
}
