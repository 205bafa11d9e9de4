package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A Redis that has been up for long loses everything, and a node comes that has never heard of the leader. */
@RealTime
class FreshCandidateTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

    @AutoClose
    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void a_leader_that_is_far_away_goes_on_leading_alone() throws Exception {
        try (Link link = new Link(server.port(), Conditions.slow(Duration.ofMillis(60)));
                Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(RedisURI.create("127.0.0.1", link.port())))) {
            Node leader = nodes.awaitLeader();
            FencingToken token = leader.token().orElseThrow();
            flushWhereItIsOld();
            nodes.join(1, RedisAccess.at(server.uri()));
            assertThatNoTwoLead(nodes);
            nodes.assertThatLeadershipIsRenewed(leader, token);
        }
    }

    @Test
    void a_leader_that_may_not_use_channels_goes_on_leading_alone() throws Exception {
        server.call(redis -> redis.aclSetuser(
                "mute",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .allKeys()
                        .allCommands()
                        .resetChannels()));
        RedisAccess access = RedisAccess.at(RedisURI.builder(server.uri())
                .withAuthentication("mute", "secret")
                .build());
        try (Nodes nodes = Nodes.start(1, LEASE, access)) {
            Node leader = nodes.awaitLeader();
            FencingToken token = leader.token().orElseThrow();
            flushWhereItIsOld();
            nodes.join(1, access);
            assertThatNoTwoLead(nodes);
            nodes.assertThatLeadershipIsRenewed(leader, token);
        }
    }

    private void flushWhereItIsOld() {
        Awaitility.await("the server is older than a lease")
                .until(() -> server.<String>call(redis -> redis.info("server"))
                        .lines()
                        .anyMatch(line -> line.matches("uptime_in_seconds:([5-9]|\\d\\d+)\\s*")));
        server.call(redis -> redis.flushall());
    }

    private static void assertThatNoTwoLead(Nodes nodes) throws InterruptedException {
        long end = System.nanoTime() + LEASE.toNanos();
        while (System.nanoTime() < end) {
            assertThat(nodes.all()).filteredOn(Node::isLeader).hasSizeLessThan(2);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
