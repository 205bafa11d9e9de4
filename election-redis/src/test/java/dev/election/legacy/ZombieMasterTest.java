package dev.election.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.NodeInfo;
import dev.election.engine.ElectionEngine;
import dev.election.protocol.Timing;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.connection.RedisAccess;
import dev.election.testing.RedisBinary;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The same death of a leader under the replaced algorithm and under this one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("slow")
class ZombieMasterTest {

    private static final Duration LIFE = Duration.ofSeconds(1);

    private static RedisServer server;
    private static RedisClient client;
    private static RedisCommands<String, String> redis;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start(RedisBinary.REDIS_7_0);
        client = RedisClient.create(server.uri());
        redis = client.connect().sync();
    }

    @AfterAll
    static void stopServer() {
        client.shutdown(0, 1, TimeUnit.SECONDS);
        server.close();
    }

    @Test
    void with_the_replaced_algorithm_a_dead_master_stays_master_as_long_as_another_node_lives() {
        SchedulerMasterElection a = new SchedulerMasterElection(redis, "a", LIFE);
        SchedulerMasterElection b = new SchedulerMasterElection(redis, "b", LIFE);
        a.masterElection();
        assertThat(a.isMasterNode()).isTrue();

        // From here on a is dead, and b runs twice in the life of the key, as it did every 30 of 60 seconds.
        long end = serverMillis() + LIFE.multipliedBy(4).toMillis();
        while (serverMillis() < end) {
            b.masterElection();
            assertThat(b.isMasterNode()).isFalse();
            awaitServerMillis(serverMillis() + LIFE.toMillis() / 2);
        }
        assertThat(redis.get("SCHEDULER_MASTER")).as("the zombie").isEqualTo("a");
    }

    @Test
    void with_this_one_another_node_leads_as_soon_as_the_lease_of_the_dead_leader_has_ended() throws Exception {
        RedisLeaseStore storeOfA = open();
        try (RedisLeaseStore storeOfB = open();
                ElectionEngine a = engine(storeOfA, "a");
                ElectionEngine b = engine(storeOfB, "b")) {
            Election ofA = a.get(Election.DEFAULT);
            Election ofB = b.get(Election.DEFAULT);
            a.start();
            assertThat(ofA.awaitLeadership(Duration.ofSeconds(10))).isTrue();
            b.start();
            assertThat(ofB.awaitResult(Duration.ofSeconds(10))).isTrue();
            assertThat(ofB.leader().orElseThrow().node()).isEqualTo("a");

            // No farewell: to the others this is what a dead process looks like.
            storeOfA.close();
            assertThat(ofB.awaitLeadership(LIFE.multipliedBy(2))).isTrue();
            assertThat(ofA.isLeader()).isFalse();
            assertThat(ofB.leader().orElseThrow().node()).isEqualTo("b");
        }
    }

    private static RedisLeaseStore open() {
        return RedisLeaseStore.open(RedisAccess.at(server.uri()), "zombie", LIFE);
    }

    private static ElectionEngine engine(RedisLeaseStore store, String node) {
        return ElectionEngine.over(store)
                .as(new NodeInfo(node, node + ":80"))
                .timing(new Timing(LIFE, LIFE.dividedBy(3), Duration.ZERO))
                .build();
    }

    private static void awaitServerMillis(long until) {
        while (serverMillis() < until) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static long serverMillis() {
        List<String> time = redis.time();
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }
}
