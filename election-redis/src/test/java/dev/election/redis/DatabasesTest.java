package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Keys belong to a database of a server, channels to the server. */
@RealTime
class DatabasesTest {

    private static final Duration LEASE = Duration.ofSeconds(6);

    @Test
    void elections_of_one_name_in_two_databases_of_a_server_do_not_hear_each_other() throws InterruptedException {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                Nodes here = Nodes.start(2, LEASE, RedisAccess.at(database(server, 0)))) {
            Node leader = here.awaitLeader();
            FencingToken token = leader.token().orElseThrow();
            try (Nodes there = Nodes.start(1, LEASE, RedisAccess.at(database(server, 5)))) {
                FencingToken elsewhere = there.awaitLeader().token().orElseThrow();
                assertThat(elsewhere.isNewerThan(token)).isTrue();
                Node follower = here.others(leader).get(0);
                leader.election().abdicate();
                // With the other's token in mind it would take the store for one that has forgotten, and wait for a
                // lease.
                assertThat(follower.election().awaitLeadership(LEASE.dividedBy(2)))
                        .isTrue();
            }
        }
    }

    private static RedisURI database(RedisServer server, int number) {
        return RedisURI.builder(server.uri()).withDatabase(number).build();
    }
}
