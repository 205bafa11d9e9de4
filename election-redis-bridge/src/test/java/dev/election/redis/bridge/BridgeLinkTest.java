package dev.election.redis.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.RedisBinary;
import dev.election.redis.bridge.KeyReply.Outcome;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.script.RedisScripts;
import dev.election.testing.Lettuce;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The bridge over slow links, and in another database. */
@RealTime
class BridgeLinkTest {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final BridgeSettings SETTINGS = BridgeSettings.of("SCHEDULER_MASTER");

    @Test
    void a_mark_that_may_have_been_written_after_the_lock_had_ended_does_not_count() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                Link link = new Link(server.port(), Conditions.slow(Duration.ofMillis(60)));
                RedisScripts scripts = RedisScripts.open(
                        RedisAccess.at(RedisURI.create("127.0.0.1", link.port())), LEASE, () -> true, null)) {
            OldKey key = new OldKey(scripts, SETTINGS);
            assertThat(ask(key.look()).outcome()).isEqualTo(Outcome.FREE);
            OldLock brief = new OldLock(scripts, SETTINGS.lock(), Duration.ofMillis(100));
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> ask(brief.guard(() -> key.claim("a", 7))))
                    .withMessageContaining("lasts 100 ms");
            OldLock roomy = new OldLock(scripts, SETTINGS.lock(), LEASE);
            OldLock.Guarded guarded = ask(roomy.guard(() -> key.claim("a", 7)));
            assertThat(guarded.reply()).isNotNull();
        }
    }

    @Test
    void a_server_that_has_reached_its_memory_limit_goes_on_with_the_mark() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                RedisScripts scripts = RedisScripts.open(RedisAccess.at(server.uri()), LEASE, () -> true, null)) {
            OldKey key = new OldKey(scripts, SETTINGS);
            OldLock lock = new OldLock(scripts, SETTINGS.lock(), LEASE);
            String set = Lettuce.call(server.uri(), redis -> redis.configSet("maxmemory", "1"));
            assertThat(set).isEqualTo("OK");
            OldLock.Guarded claimed = ask(lock.guard(() -> key.claim("a", 7)));
            assertThat(claimed.reply()).isNotNull();
            assertThat(ask(key.keep("a", 7)).outcome()).isEqualTo(Outcome.KEPT);
            assertThat(ask(key.look()).outcome()).isEqualTo(Outcome.OURS);
            assertThat(ask(key.drop("a", 7)).outcome()).isEqualTo(Outcome.DROPPED);
        }
    }

    @Test
    void an_old_node_keeps_its_lock_and_hears_of_the_release_of_ours() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                RedisScripts scripts = RedisScripts.open(RedisAccess.at(server.uri()), LEASE, () -> true, null)) {
            RedisClient client = RedisClient.create(server.uri());
            try (StatefulRedisPubSubConnection<String, String> old = client.connectPubSub()) {
                List<String> heard = new CopyOnWriteArrayList<>();
                old.addListener(new RedisPubSubAdapter<>() {
                    @Override
                    public void message(String channel, String message) {
                        heard.add(channel + " " + message);
                    }
                });
                old.sync().subscribe("redisson_lock__channel:{MASTER_ELECTION_LOCK}");
                OldKey key = new OldKey(scripts, SETTINGS);
                OldLock brief = new OldLock(scripts, SETTINGS.lock(), Duration.ofSeconds(5));
                ask(brief.guard(() -> {
                    // Ours is lost, and an old node has it by now.
                    long changed = Lettuce.call(
                            server.uri(),
                            redis -> redis.del("MASTER_ELECTION_LOCK")
                                    + redis.hincrby("MASTER_ELECTION_LOCK", "old:1", 1));
                    assertThat(changed).isEqualTo(2);
                    return key.look();
                }));
                assertThat(ask(brief.look())).isPositive();
                assertThat(heard).isEmpty();
                Lettuce.call(server.uri(), redis -> redis.del("MASTER_ELECTION_LOCK"));
                ask(brief.guard(key::look));
                Awaitility.await().until(() -> heard.size() == 1);
                assertThat(heard).containsExactly("redisson_lock__channel:{MASTER_ELECTION_LOCK} 0");
            } finally {
                client.shutdown(0, 1, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void the_old_key_may_lie_in_another_database_than_the_leases() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                RedisScripts scripts = RedisScripts.open(RedisAccess.at(server.uri()), LEASE, () -> true, 3)) {
            OldKey key = new OldKey(scripts, SETTINGS);
            ask(key.claim("a", 7));
            RedisURI there = RedisURI.builder(server.uri()).withDatabase(3).build();
            String mark = Lettuce.call(there, redis -> redis.get("SCHEDULER_MASTER"));
            assertThat(mark).isEqualTo("election:a");
            long here = Lettuce.call(server.uri(), redis -> redis.exists("SCHEDULER_MASTER"));
            assertThat(here).isZero();
        }
    }

    private static <T> T ask(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    }
}
