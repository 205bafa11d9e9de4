package dev.election.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.harness.Stalls;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The same death of a leader under the replaced algorithm and under this one. */
@RealTime
class ZombieMasterTest {

    private static final Duration LEASE = Duration.ofSeconds(4);

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
        Duration life = Duration.ofSeconds(60);
        SchedulerMasterElection a = new SchedulerMasterElection(redis, "a", life);
        SchedulerMasterElection b = new SchedulerMasterElection(redis, "b", life);
        a.masterElection();
        assertThat(a.isMasterNode()).isTrue();

        // From here on a is dead, and b runs twice in the life of the key.
        for (int i = 0; i < 8; i++) {
            b.masterElection();
            assertThat(b.isMasterNode()).isFalse();
            age("SCHEDULER_MASTER", life.dividedBy(2));
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
            try (Stalls stalls = new Stalls()) {
                long died = System.nanoTime();
                storeOfA.close();
                assertThat(ofB.awaitLeadership(Duration.ofSeconds(20))).isTrue();
                assertThat(stalls.ranSince(died)).isLessThan(LEASE.plusSeconds(1));
            }
            assertThat(ofA.isLeader()).isFalse();
            assertThat(ofB.leader().orElseThrow().node()).isEqualTo("b");
        }
    }

    private static RedisLeaseStore open() {
        return RedisLeaseStore.open(RedisAccess.at(server.uri()), "zombie", LEASE);
    }

    private static ElectionEngine engine(RedisLeaseStore store, String node) {
        return ElectionEngine.over(store)
                .as(new NodeInfo(node, node + ":80"))
                .timing(new Timing(LEASE, LEASE.dividedBy(3), Duration.ZERO))
                .build();
    }

    /** The key is as it will be when that time has passed. */
    private static void age(String key, Duration time) {
        redis.pexpire(key, redis.pttl(key) - time.toMillis());
    }
}
