package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server that runs can refuse a leader: each is announced as what it is, once, and passes without anybody's help. */
@RealTime
@Execution(ExecutionMode.CONCURRENT)
class StoreProblemTest {

    /** Where its end is waited for, or what a follower is told. */
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** No pause of the machine ends it. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(6);

    @AutoClose
    private final Opened opened = new Opened();

    /** A save point that never comes: only with one does Redis mind a snapshot that failed. */
    private final RedisServer server = opened.add(
            RedisServer.start(RedisBinary.REDIS_7_0, "--enable-debug-command", "yes", "--save", "86400 1000000"));

    private Nodes nodes;
    private Node leader;
    private FencingToken token;

    private void lead(Duration lease) {
        nodes = opened.add(Nodes.start(2, lease, RedisAccess.at(server.uri())));
        leader = nodes.awaitLeader();
        token = leader.token().orElseThrow();
        nodes.awaitRecovery();
        nodes.journal().turnPage();
    }

    @Test
    void a_primary_that_becomes_a_replica_is_READ_ONLY() {
        lead(LEASE);
        try (RedisServer other = RedisServer.start(RedisBinary.REDIS_7_0)) {
            server.call(redis -> redis.replicaof("127.0.0.1", other.port()));
            nodes.awaitProblem(StoreProblem.READ_ONLY, nodes.all());
            nodes.awaitNoLeader();
            server.call(redis -> redis.replicaofNoOne());
            assertThatItPasses(StoreProblem.READ_ONLY);
        }
    }

    @Test
    void a_server_that_reads_its_data_is_LOADING() {
        lead(LEASE);
        server.call(redis -> debug(redis, "POPULATE", "16000"));
        // Some fifty keys between two looks at the clients, a fifth of a millisecond each: it answers soon, and loads
        // for seconds.
        server.call(redis -> redis.configSet("loading-process-events-interval-bytes", "1024"));
        server.call(redis -> redis.configSet("key-load-delay", "200"));
        server.call(redis -> debug(redis, "RELOAD"));
        nodes.awaitProblem(StoreProblem.LOADING, nodes.all());
        assertThatItPasses(StoreProblem.LOADING);
    }

    @Test
    void a_server_that_runs_an_endless_script_is_BUSY() {
        lead(LEASE);
        server.call(redis -> redis.configSet("busy-reply-threshold", "10"));
        RedisClient client = RedisClient.create(server.uri());
        try {
            client.connect().async().eval("while true do end", ScriptOutputType.STATUS);
            nodes.awaitProblem(StoreProblem.BUSY, nodes.all());
            assertThat(actions(StoreProblem.BUSY)).allMatch(action -> action.contains("SCRIPT KILL"));
            server.call(redis -> redis.scriptKill());
            assertThatItPasses(StoreProblem.BUSY);
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_server_that_has_reached_maxclients_has_TOO_MANY_CONNECTIONS() {
        lead(LEASE);
        server.call(redis -> {
            redis.configSet("maxclients", "1");
            redis.clientKill(KillArgs.Builder.skipme());
            nodes.awaitProblem(StoreProblem.TOO_MANY_CONNECTIONS, nodes.all());
            return redis.configSet("maxclients", "10000");
        });
        assertThat(actions(StoreProblem.TOO_MANY_CONNECTIONS)).allMatch(action -> action.contains("maxclients"));
        nodes.awaitRecovery();
        nodes.awaitLeader();
        assertThat(nodes.journal().problems()).doesNotContain(StoreProblem.UNKNOWN);
    }

    @Test
    void a_server_that_could_not_write_its_snapshot_CANNOT_PERSIST() throws IOException {
        lead(LEASE);
        // A folder where the file should be: that stops root, too.
        Files.createDirectories(server.folder().resolve("dump.rdb").resolve("full"));
        server.call(redis -> redis.bgsave());
        nodes.awaitProblem(StoreProblem.CANNOT_PERSIST, nodes.all());
        nodes.awaitNoLeader();
        server.call(redis -> redis.configSet("stop-writes-on-bgsave-error", "no"));
        assertThatItPasses(StoreProblem.CANNOT_PERSIST);
    }

    @Test
    void a_full_server_is_OUT_OF_MEMORY_and_costs_no_leadership_because_a_renewal_needs_no_more() {
        lead(LONG_LEASE);
        server.call(redis -> redis.configSet("maxmemory", "1"));
        nodes.awaitProblem(StoreProblem.OUT_OF_MEMORY, nodes.others(leader));
        nodes.assertThatLeadershipIsRenewed(leader, token);
        server.call(redis -> redis.configSet("maxmemory", "0"));
        assertThatItPasses(StoreProblem.OUT_OF_MEMORY);
        assertThat(leader.token()).contains(token);
    }

    @Test
    void a_full_server_that_has_become_another_costs_no_leadership_either() {
        lead(LONG_LEASE);
        server.call(redis -> {
            redis.multi();
            redis.hset(key("epoch"), "incarnation", "of another server");
            redis.configSet("maxmemory", "1");
            return redis.exec();
        });
        nodes.assertThatLeadershipIsRenewed(leader, token);
        server.call(redis -> redis.configSet("maxmemory", "0"));
    }

    @Test
    void a_server_that_is_full_when_nobody_leads_is_OUT_OF_MEMORY_until_there_is_room() {
        lead(LONG_LEASE);
        server.call(redis -> redis.configSet("maxmemory", "1"));
        nodes.awaitProblem(StoreProblem.OUT_OF_MEMORY, nodes.others(leader));
        leader.election().abdicate();
        nodes.awaitProblem(StoreProblem.OUT_OF_MEMORY, nodes.all());
        server.call(redis -> redis.configSet("maxmemory", "0"));
        assertThatItPasses(StoreProblem.OUT_OF_MEMORY);
    }

    @Test
    void a_server_that_misses_its_replicas_has_TOO_FEW_REPLICAS() {
        lead(LEASE);
        server.call(redis -> redis.configSet("min-replicas-to-write", "1"));
        nodes.awaitProblem(StoreProblem.TOO_FEW_REPLICAS, nodes.all());
        assertThat(nodes.journal().events(LeadershipEvent.StoreFailed.class))
                .filteredOn(failed -> failed.problem() == StoreProblem.TOO_FEW_REPLICAS)
                .allSatisfy(failed -> assertThat(failed.action()).contains("min-replicas-to-write"));
        nodes.awaitNoLeader();
        server.call(redis -> redis.configSet("min-replicas-to-write", "0"));
        assertThatItPasses(StoreProblem.TOO_FEW_REPLICAS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"lease", "epoch"})
    void a_string_where_a_hash_should_be_is_of_the_WRONG_TYPE(String what) {
        lead(LEASE);
        spoil(what, redis -> redis.set(key(what), "spoilt"));
        nodes.awaitProblem(StoreProblem.WRONG_TYPE, nodes.all());
        assertThat(actions(StoreProblem.WRONG_TYPE)).allMatch(action -> action.contains(key("lease")));
        nodes.awaitNoLeader();
        server.call(redis -> redis.del(key(what)));
        assertThatItPasses(StoreProblem.WRONG_TYPE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue", "queue-expiry"})
    void a_hash_where_the_line_of_candidates_should_be_is_of_the_WRONG_TYPE(String what) {
        lead(LONG_LEASE);
        spoil(what, redis -> redis.hset(key(what), "spoilt", "yes"));
        // The leader's renewal does not look at it.
        leader.election().abdicate();
        nodes.awaitProblem(StoreProblem.WRONG_TYPE, nodes.others(leader));
        server.call(redis -> redis.del(key(what)));
        assertThatItPasses(StoreProblem.WRONG_TYPE);
    }

    @Test
    void a_hash_where_the_hold_should_be_is_of_the_WRONG_TYPE() {
        lead(LEASE);
        nodes.end(Node::close);
        spoil("lock-delay", redis -> redis.hset(key("lock-delay"), "spoilt", "yes"));
        nodes.join(2);
        nodes.awaitProblem(StoreProblem.WRONG_TYPE, nodes.all());
        server.call(redis -> redis.del(key("lock-delay")));
        assertThatItPasses(StoreProblem.WRONG_TYPE);
    }

    @Test
    void a_hold_without_an_end_ends_after_a_lease() {
        lead(LEASE);
        nodes.end(Node::close);
        server.call(redis -> redis.set(key("lock-delay"), "by hand"));
        nodes.join(2);
        nodes.awaitLeaderAfter(token);
        assertThat(nodes.journal().answeredProblems()).isEmpty();
    }

    private void spoil(String what, Consumer<RedisCommands<String, String>> write) {
        server.call(redis -> {
            redis.multi();
            redis.del(key(what));
            write.accept(redis);
            return redis.exec();
        });
    }

    private List<String> actions(StoreProblem problem) {
        return nodes.journal().events(LeadershipEvent.StoreFailed.class).stream()
                .filter(failed -> failed.problem() == problem)
                .map(LeadershipEvent.StoreFailed::action)
                .toList();
    }

    private void assertThatItPasses(StoreProblem problem) {
        nodes.awaitRecovery();
        nodes.awaitLeader();
        assertThat(nodes.journal().answeredProblems())
                .as("%s", nodes.journal().entries())
                .isEqualTo(Set.of(problem));
    }

    private String key(String what) {
        return Nodes.PREFIX + ":{" + leader.election().name() + "}:" + what;
    }

    private static String debug(RedisCommands<String, String> redis, String... words) {
        CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
        List.of(words).forEach(arguments::add);
        return redis.dispatch(CommandType.DEBUG, new StatusOutput<>(StringCodec.UTF8), arguments);
    }
}
