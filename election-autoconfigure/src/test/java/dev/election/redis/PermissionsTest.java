package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RedisBinary;
import dev.election.testing.RedisCluster;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandKeyword;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A Redis user that may do what the README asks for, and nothing else, can lead. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PermissionsTest {

    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final String COMMANDS =
            "EVALSHA EVAL INFO TIME HGET HMGET HSET PEXPIRE PTTL GET SET DEL ZADD ZREM ZRANK"
                    + " ZCARD ZRANGEBYSCORE PUBLISH SUBSCRIBE UNSUBSCRIBE";

    @Test
    void what_is_asked_for_here_is_what_the_README_asks_for() throws IOException {
        assertThat(Files.readString(Path.of("..", "README.md")))
                .contains("`" + COMMANDS + "`", "in another database than 0 `SELECT`", "in a Cluster `CLUSTER|NODES`");
    }

    @Test
    void in_database_0() throws InterruptedException {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            server.call(redis -> redis.aclSetuser("application", rules()));
            assertThatOneLeadsAfterTheOther(RedisAccess.at(asUser(server.uri())));
        }
    }

    @Test
    void in_another_database() throws InterruptedException {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            server.call(redis -> redis.aclSetuser("application", rules().addCommand(CommandType.SELECT)));
            RedisURI user = asUser(server.uri());
            user.setDatabase(3);
            assertThatOneLeadsAfterTheOther(RedisAccess.at(user));
        }
    }

    @Test
    void in_a_cluster() throws InterruptedException {
        try (RedisCluster cluster = RedisCluster.start()) {
            cluster.askAll(redis ->
                    redis.aclSetuser("application", rules().addCommand(CommandType.CLUSTER, CommandKeyword.NODES)));
            List<RedisURI> users =
                    cluster.uris().stream().map(PermissionsTest::asUser).toList();
            assertThatOneLeadsAfterTheOther(RedisAccess.toCluster(users));
        }
    }

    private static void assertThatOneLeadsAfterTheOther(RedisAccess access) throws InterruptedException {
        try (Nodes nodes = Nodes.start(2, LEASE, access)) {
            Node leader = nodes.awaitLeader();
            Node follower = nodes.others(leader).get(0);
            Nodes.await("it follows").until(() -> follower.election().leader().isPresent());
            leader.election().abdicate();
            assertThat(follower.election().awaitLeadership(LEASE.dividedBy(2)))
                    .as("so soon only who hears of it: %s", nodes.journal().entries())
                    .isTrue();
            assertThat(nodes.journal().problems()).isEmpty();
        }
    }

    private static AclSetuserArgs rules() {
        AclSetuserArgs rules = AclSetuserArgs.Builder.on()
                .addPassword("secret")
                .keyPattern(Nodes.PREFIX + ":*")
                .channelPattern(Nodes.PREFIX + ":*");
        Stream.of(COMMANDS.split(" ")).map(CommandType::valueOf).forEach(rules::addCommand);
        return rules;
    }

    private static RedisURI asUser(RedisURI server) {
        return RedisURI.builder(server)
                .withAuthentication("application", "secret")
                .build();
    }
}
