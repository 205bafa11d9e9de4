package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A server that loses everything it knew costs neither the leadership nor its uniqueness. */
@RealTime
class ForgetfulServerTest {

    /** No pause of the machine ends it. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    @AutoClose
    private final Opened opened = new Opened();

    private final RedisServer server = opened.add(RedisServer.start(RedisBinary.REDIS_7_0));
    private final Nodes nodes = opened.add(Nodes.start(3, LEASE, RedisAccess.at(server.uri())));
    private final Node leader = nodes.awaitLeader();
    private final FencingToken token = leader.token().orElseThrow();

    @Test
    void a_server_that_is_killed_and_comes_back_empty_never_makes_two_leaders() {
        server.kill();
        server.restart();
        nodes.awaitRecovery();
        Node next = nodes.awaitLeader();
        nodes.assertThatLeadershipIsRenewed(next, next.token().orElseThrow());
    }

    @Test
    void a_server_that_comes_back_empty_after_the_end_of_the_lease_gets_a_leader_with_a_higher_token() {
        server.kill();
        nodes.awaitNoLeader();
        server.restart();
        nodes.awaitLeaderAfter(token);
    }

    @Test
    void a_leader_under_whom_everything_is_flushed_keeps_leading_with_the_same_token() {
        server.call(redis -> redis.flushall());
        nodes.assertThatLeadershipIsRenewed(leader, token);
        assertThat(nodes.journal().events(LeadershipEvent.Lost.class)).isEmpty();
        String lease = new ElectionKeys(Nodes.PREFIX).lease(leader.election().name());
        assertThat(server.<String>call(redis -> redis.hget(lease, "token"))).isEqualTo(token.toString());
    }

    @Test
    void a_leader_survives_one_flush_after_the_other() {
        for (int i = 0; i < 20; i++) {
            server.call(redis -> redis.flushall());
        }
        nodes.assertThatLeadershipIsRenewed(leader, token);
    }

    @Test
    void tokens_rise_through_a_flush_and_an_orderly_restart_of_all_nodes() {
        nodes.end(Node::close);
        server.call(redis -> redis.flushall());
        nodes.join(3);
        nodes.awaitLeaderAfter(token);
    }

    @Test
    void tokens_rise_through_a_flush_and_a_crash_of_all_nodes() {
        nodes.end(Node::crash);
        server.call(redis -> redis.flushall());
        nodes.join(3);
        nodes.awaitLeaderAfter(token);
    }
}
