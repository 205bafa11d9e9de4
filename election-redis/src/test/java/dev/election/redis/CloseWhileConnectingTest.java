package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisCluster;
import dev.election.harness.SentinelGroup;
import dev.election.redis.client.OpenedClient;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Lettuce;
import dev.election.testing.LoggedLines;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Whenever a store is closed, nothing of it is left: no thread, and no connection at the server. */
@OtherServers
class CloseWhileConnectingTest {

    private static final Duration LEASE = Duration.ofSeconds(4);

    @AutoClose
    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    private List<Thread> before = List.copyOf(Thread.getAllStackTraces().keySet());

    @Test
    void to_a_server_that_answers() {
        for (int delay : delays(1, 40)) {
            openAndClose(RedisAccess.at(server.uri()), delay);
            assertThatNothingIsLeft();
        }
    }

    @Test
    void to_a_server_that_is_slow() {
        try (Link link = new Link(server.port(), Conditions.slow(Duration.ofMillis(40)))) {
            RedisAccess access = RedisAccess.at(RedisURI.create("127.0.0.1", link.port()));
            for (int delay : delays(20, 20)) {
                openAndClose(access, delay);
                assertThatNothingIsLeft();
            }
        }
    }

    @Test
    void to_a_server_that_hangs() {
        server.freeze();
        for (int delay : delays(60, 6)) {
            openAndClose(RedisAccess.at(server.uri()), delay);
            assertThatNoThreadIsLeft();
        }
        server.thaw();
        assertThatNothingIsLeft();
    }

    @Test
    void by_way_of_Sentinels() {
        try (SentinelGroup group = SentinelGroup.start(RedisBinary.REDIS_6_2)) {
            before = List.copyOf(Thread.getAllStackTraces().keySet());
            for (int delay : delays(4, 25)) {
                openAndClose(RedisAccess.at(Lettuce.uri(group)), delay);
                assertThatNoThreadIsLeft();
            }
        }
    }

    @Test
    void to_a_Cluster_of_which_a_member_hangs() {
        try (RedisCluster cluster = RedisCluster.start()) {
            cluster.replica("a").freeze();
            before = List.copyOf(Thread.getAllStackTraces().keySet());
            for (int delay : delays(100, 6)) {
                openAndClose(RedisAccess.toCluster(Lettuce.uris(cluster)), delay);
                assertThatNoThreadIsLeft();
            }
        }
    }

    @Test
    void with_credentials_that_never_come() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        RedisURI uri = RedisURI.builder(server.uri())
                .withAuthentication(() -> Mono.fromCallable(() -> {
                    asked.countDown();
                    never.await();
                    return RedisCredentials.just(null, "");
                }))
                .build();
        try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(uri), "close", LEASE)) {
            store.read("default");
            assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThatNothingIsLeft();
    }

    @Test
    void with_credentials_that_are_used_only_after_the_close() throws InterruptedException {
        CountDownLatch used = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch goneOn = new CountDownLatch(1);
        RedisURI uri = RedisURI.builder(server.uri())
                .withAuthentication(() -> Mono.just(new LateCredentials(used, closed, goneOn)))
                .build();
        try (LoggedLines netty = new LoggedLines("io.netty.util.concurrent.DefaultPromise.rejectedExecution")) {
            try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(uri), "close", LEASE)) {
                store.read("default");
                assertThat(used.await(20, TimeUnit.SECONDS)).isTrue();
            }
            closed.countDown();
            assertThat(goneOn.await(20, TimeUnit.SECONDS)).isTrue();
            assertThatNothingIsLeft();
            assertThatNoHandshakeGoesOn();
            assertThat(netty.with("")).isEmpty();
        }
    }

    @Test
    void by_a_thread_that_is_interrupted() {
        RedisLeaseStore store = openClosedBy(client -> {
            // As the client does when it has to wait for its channels.
            if (Thread.currentThread().isInterrupted()) {
                throw new RedisCommandInterruptedException(new InterruptedException());
            }
            client.shutdown(0, 1, TimeUnit.SECONDS);
        });

        Thread.currentThread().interrupt();
        try {
            store.close();
        } finally {
            assertThat(Thread.interrupted()).as("is still interrupted").isTrue();
        }

        assertThatNothingIsLeft();
    }

    @Test
    void with_a_client_that_does_not_close() {
        RedisLeaseStore store = openClosedBy(client -> {
            throw new IllegalStateException("does not close");
        });

        assertThatThrownBy(store::close).hasMessage("does not close");

        assertThatNothingIsLeft();
    }

    private RedisLeaseStore openClosedBy(Consumer<RedisClient> close) {
        RedisAccess access = RedisAccess.by("127.0.0.1:6379", settings -> {
            RedisClient client = RedisClient.create(settings.resources(), server.uri());
            client.setOptions(settings.options(ClientOptions.create(), false));
            return new OpenedClient(client, 0, null, () -> close.accept(client));
        });
        RedisLeaseStore store = RedisLeaseStore.open(access, "close", LEASE);
        store.read("default").toCompletableFuture().join();
        return store;
    }

    private static int[] delays(int step, int count) {
        return IntStream.range(0, count).map(i -> i * step).toArray();
    }

    private static void openAndClose(RedisAccess access, int delayMillis) {
        try (RedisLeaseStore store = RedisLeaseStore.open(access, "close", LEASE)) {
            store.listen("default", event -> {});
            store.read("default");
            pause(delayMillis);
        }
    }

    private void assertThatNothingIsLeft() {
        assertThatNoThreadIsLeft();
        Nodes.await("no connection but that of this look").untilAsserted(() -> assertThat(
                        server.call(redis -> redis.clientList()).lines())
                .hasSize(1));
    }

    private void assertThatNoThreadIsLeft() {
        Nodes.await("no thread").untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !before.contains(thread))
                        .map(Thread::getName)
                        .filter(name -> name.startsWith("election-") || name.startsWith("lettuce-")))
                .isEmpty());
    }

    private static void assertThatNoHandshakeGoesOn() {
        Nodes.await("no handshake").until(() -> Thread.getAllStackTraces().values().stream()
                .noneMatch(CloseWhileConnectingTest::isHandshake));
    }

    private static boolean isHandshake(StackTraceElement[] frames) {
        return Stream.of(frames).anyMatch(frame -> frame.getClassName().endsWith("RedisHandshake"));
    }

    private static void pause(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The handshake goes on with them when the store is closed. */
    private record LateCredentials(CountDownLatch used, CountDownLatch closed, CountDownLatch goneOn)
            implements RedisCredentials {

        @Override
        public @Nullable String getUsername() {
            return null;
        }

        @Override
        public boolean hasUsername() {
            return awaitClose();
        }

        @Override
        public char @Nullable [] getPassword() {
            return null;
        }

        @Override
        public boolean hasPassword() {
            return awaitClose();
        }

        private boolean awaitClose() {
            // Others ask, too, as when the address is written to a log.
            if (!isHandshake(Thread.currentThread().getStackTrace())) {
                return false;
            }
            used.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            goneOn.countDown();
            return false;
        }
    }
}
