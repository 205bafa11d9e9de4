package dev.election.fencing.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.fencing.StaleLeaderException;
import dev.election.harness.RedisBinary;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.RedisServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** Fenced writes to a real Redis, by both clients. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FencedRedisTest {

    private static final FencingToken OLD = new FencingToken(7);
    private static final FencingToken NEW = new FencingToken(8);

    private RedisServer server;
    private LettuceConnectionFactory lettuce;
    private JedisConnectionFactory jedis;
    private StringRedisTemplate redis;
    private FencedRedis fenced;

    @BeforeAll
    void start() {
        server = RedisServer.start(RedisBinary.REDIS_6_2);
        RedisStandaloneConfiguration where = new RedisStandaloneConfiguration("127.0.0.1", server.port());
        lettuce = new LettuceConnectionFactory(where);
        lettuce.afterPropertiesSet();
        lettuce.start();
        jedis = new JedisConnectionFactory(where);
        jedis.afterPropertiesSet();
        jedis.start();
    }

    @AfterAll
    void stop() {
        lettuce.destroy();
        jedis.destroy();
        server.close();
    }

    @BeforeEach
    void begin() {
        use(lettuce);
        server.call(commands -> commands.flushall());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lettuce", "jedis"})
    void a_key_that_a_newer_leader_has_set_is_not_set_by_an_older_one(String client) {
        use(client.equals("jedis") ? jedis : lettuce);
        fenced.set(OLD, "prices", "1");
        fenced.set(NEW, "prices", "2");
        fenced.set(NEW, "prices", "3");

        assertThatThrownBy(() -> fenced.set(OLD, "prices", "4"))
                .isInstanceOfSatisfying(StaleLeaderException.class, stale -> {
                    assertThat(stale.getToken()).isEqualTo(OLD);
                    assertThat(stale.getNewerToken()).contains(NEW);
                    assertThat(stale.getResource()).isEqualTo("prices");
                });
        assertThat(redis.opsForValue().get("prices")).isEqualTo("3");
        fenced.set(OLD, "other", "1");
    }

    @Test
    void a_script_sees_its_own_keys_and_arguments_only() {
        RedisScript<String> script = RedisScript.of(
                "redis.call('SET', KEYS[1], ARGV[1]) return #KEYS .. #ARGV .. KEYS[1] .. KEYS[2] .. ARGV[2]",
                String.class);

        assertThat(fenced.execute(OLD, script, List.of("{a}1", "{a}2"), "x", "y"))
                .isEqualTo("22{a}1{a}2y");
        assertThat(redis.opsForValue().get("{a}1")).isEqualTo("x");
    }

    @Test
    void a_script_of_an_older_leader_does_not_run() {
        RedisScript<Long> add = RedisScript.of("return redis.call('INCR', KEYS[1])", Long.class);
        assertThat(fenced.execute(NEW, add, List.of("count"))).isEqualTo(1);

        assertThatThrownBy(() -> fenced.execute(OLD, add, List.of("count"))).isInstanceOf(StaleLeaderException.class);
        assertThat(fenced.execute(NEW, add, List.of("count"))).isEqualTo(2);
    }

    @Test
    void set_and_scripts_share_the_token_of_a_key() {
        fenced.set(NEW, "count", "5");

        RedisScript<Long> add = RedisScript.of("return redis.call('INCR', KEYS[1])", Long.class);
        assertThatThrownBy(() -> fenced.execute(OLD, add, List.of("count"))).isInstanceOf(StaleLeaderException.class);
        assertThat(redis.opsForValue().get("count")).isEqualTo("5");
    }

    @Test
    void an_error_of_a_script_is_that_of_the_script_with_its_line() {
        RedisScript<Long> broken = RedisScript.of("local a = 1\nreturn redis.call('HGET', KEYS[1], 'x')", Long.class);
        redis.opsForValue().set("text", "no hash");

        assertThatThrownBy(() -> fenced.execute(OLD, broken, List.of("text")))
                .isNotInstanceOf(StaleLeaderException.class)
                .rootCause()
                .hasMessageContaining("WRONGTYPE");
        RedisScript<Long> wrong = RedisScript.of("local a = 1\nreturn nonsense(a)", Long.class);
        assertThatThrownBy(() -> fenced.execute(OLD, wrong, List.of("text")))
                .rootCause()
                .hasMessageContaining("user_script:2");
    }

    @Test
    void a_script_without_a_result_runs_too() {
        RedisScript<Void> silent = RedisScript.of("redis.call('SET', KEYS[1], ARGV[1])");

        fenced.execute(OLD, silent, List.of("a"), "1");
        assertThat(redis.opsForValue().get("a")).isEqualTo("1");
        assertThatThrownBy(() -> fenced.execute(OLD, silent, List.of())).hasMessageContaining("needs a key");
    }

    @Test
    void the_first_line_may_name_the_language() {
        assertThat(FencedScript.text("#!lua flags=no-writes\nreturn 1")).startsWith("#!lua flags=no-writes\ndo local");
        assertThat(FencedScript.text("return 1")).startsWith("do local").endsWith(" return 1");
    }

    @Test
    void the_token_lies_in_the_slot_of_its_key() {
        FenceKeys keys = new FenceKeys("election");
        assertThat(keys.beside("prices")).isEqualTo("election:fence:{prices}prices");
        assertThat(keys.beside("{shop}:prices")).isEqualTo("election:fence:{shop}{shop}:prices");
        assertThat(keys.beside("a{}b")).isEqualTo("election:fence:{a{}b}a{}b");
    }

    @Test
    void leader_work_brings_its_token_and_other_code_has_none() {
        HandDrivenElection election = new HandDrivenElections().get("default");
        election.lead(7);
        try (LeaderWork work = election.beginWork().orElseThrow();
                LeaderWork.Scope scope = work.onThisThread()) {
            fenced.set("prices", "1");
            fenced.set(NEW, "prices", "2");
            assertThatThrownBy(() -> fenced.set("prices", "3")).isInstanceOf(StaleLeaderException.class);
        }
        assertThatThrownBy(() -> fenced.set("prices", "4"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("outside leader work");
        assertThat(redis.opsForValue().get("prices")).isEqualTo("2");
    }

    /** The same steps with and without the fence, 200 times: an earlier leader stops before its write, and goes on after its successor's. */
    @Test
    void a_leader_that_was_stopped_before_its_write_overwrites_nothing() {
        int lost = 0;
        for (int i = 1; i <= 200; i++) {
            FencingToken stopped = new FencingToken(2L * i);
            FencingToken successor = new FencingToken(2L * i + 1);
            String prepared = "of " + stopped;
            redis.opsForValue().set("unfenced", "of " + successor);
            fenced.set(successor, "fenced", "of " + successor);

            redis.opsForValue().set("unfenced", prepared);
            assertThatThrownBy(() -> fenced.set(stopped, "fenced", prepared)).isInstanceOf(StaleLeaderException.class);

            assertThat(redis.opsForValue().get("fenced")).isEqualTo("of " + successor);
            lost += prepared.equals(redis.opsForValue().get("unfenced")) ? 1 : 0;
        }
        assertThat(lost).isEqualTo(200);
    }

    private void use(RedisConnectionFactory client) {
        redis = new StringRedisTemplate(client);
        fenced = new FencedRedis(redis, "election");
    }
}
