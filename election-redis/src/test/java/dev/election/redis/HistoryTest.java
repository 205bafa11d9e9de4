package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.LeadershipRecord;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Who led is worth remembering, but never worth an election. */
@RealTime
class HistoryTest {

    /** No pause of the machine ends it. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final ElectionKeys KEYS = new ElectionKeys(Nodes.PREFIX);
    private static final String HISTORY = KEYS.history("default");

    @AutoClose
    private final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void a_user_who_may_not_write_it_leads_all_the_same() {
        redis.call(commands -> commands.aclSetuser(
                "forgetful",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .allKeys()
                        .allChannels()
                        .allCommands()
                        .removeCommand(CommandType.LPUSH)
                        .removeCommand(CommandType.LRANGE)
                        .removeCommand(CommandType.LINDEX)));
        RedisURI forgetful = RedisURI.builder(redis.uri())
                .withAuthentication("forgetful", "secret")
                .build();
        handOverWithoutHistory(RedisAccess.at(forgetful));
    }

    @Test
    void a_key_of_that_name_that_holds_something_else_disturbs_nobody() {
        redis.call(commands -> commands.set(HISTORY, "somebody else's"));
        handOverWithoutHistory(RedisAccess.at(redis.uri()));
        assertThat(redis.<String>call(commands -> commands.get(HISTORY))).isEqualTo("somebody else's");
    }

    @Test
    void it_survives_all_nodes() {
        FencingToken first;
        try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(redis.uri()))) {
            first = nodes.awaitLeader().token().orElseThrow();
        }
        try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(redis.uri()))) {
            assertThat(leaderships(nodes.awaitLeader())).hasSize(2).last().satisfies(term -> assertThat(
                            term.leader().token())
                    .isEqualTo(first));
        }
    }

    @Test
    void whoever_wants_none_keeps_none() {
        try (RedisLeaseStore store = RedisLeaseStore.open(
                        RedisAccess.at(redis.uri()),
                        LEASE,
                        RedisSettings.of(RedisKeySpace.of(Nodes.PREFIX)).history(0));
                ElectionEngine engine = ElectionEngine.over(store).build()) {
            engine.get("default");
            engine.start();
            Nodes.await("a leader").until(() -> engine.get("default").isLeader());
            assertThat(engine.get("default")
                            .lookUp()
                            .toCompletableFuture()
                            .join()
                            .leaderships())
                    .isEmpty();
            assertThat(redis.<Long>call(commands -> commands.exists(HISTORY))).isZero();
        }
    }

    private static void handOverWithoutHistory(RedisAccess access) {
        try (Nodes nodes = Nodes.start(2, LEASE, access)) {
            Node leader = nodes.awaitLeader();
            FencingToken token = leader.token().orElseThrow();
            leader.election().abdicate();
            Node next = nodes.awaitLeaderAfter(token);
            assertThat(leaderships(next)).isEmpty();
            assertThat(next.election().lookUp().toCompletableFuture().join().leader())
                    .isPresent();
            assertThat(nodes.journal().answeredProblems()).isEmpty();
        }
    }

    private static List<LeadershipRecord> leaderships(Node node) {
        return node.election().lookUp().toCompletableFuture().join().leaderships();
    }
}
