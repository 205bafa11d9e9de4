package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.SentinelGroup;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Lettuce;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A Sentinel that is cut off together with the old primary goes on naming it, while clients reach both. */
@OtherServers
class StaleSentinelTest {

    /** See {@link SentinelTest}. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final ElectionKeys KEYS = new ElectionKeys(Nodes.PREFIX);

    @Test
    void a_leader_that_has_heard_of_the_promotion_is_not_led_back_to_the_old_primary() {
        try (SentinelGroup group = start();
                Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(Lettuce.uri(group)))) {
            Node leader = nodes.awaitLeader();
            List<RedisProcess> firstLast = new ArrayList<>(group.sentinels());
            Collections.rotate(firstLast, -1);
            nodes.join(1, RedisAccess.at(Lettuce.uri(firstLast, "")));
            RedisURI old = Lettuce.uri(group.first());
            Nodes.await("the follower").until(() -> Lettuce.call(old, redis -> redis.zcard(KEYS.queue("default"))) > 0);

            split(group);

            awaitRenewal(group.second(), leader);
            nodes.assertThatLeadershipLasts(leader, leader.token().orElseThrow(), LEASE.multipliedBy(2));
        }
    }

    @Test
    void a_process_that_is_started_then_leads_on_the_new_primary() {
        try (SentinelGroup group = start()) {
            split(group);
            try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(Lettuce.uri(group)))) {
                awaitRenewal(group.second(), nodes.awaitLeader());
            }
        }
    }

    private static SentinelGroup start() {
        SentinelGroup group = SentinelGroup.startLinked(
                () -> RedisSettings.of(RedisBinary.REDIS_7_0, "--repl-diskless-sync-delay", "0"),
                () -> RedisSettings.of(RedisBinary.REDIS_7_0),
                Duration.ofMillis(500));
        group.neverTilt();
        return group;
    }

    /** Cuts the primary and the first Sentinel off, and waits until the others have made the replica the primary. */
    private static void split(SentinelGroup group) {
        group.links().isolateWithFirstSentinel(group.first());
        assertThat(group.othersAgreeOn(group.second(), Duration.ofSeconds(20)))
                .as("promoted")
                .isTrue();
    }

    private static void awaitRenewal(RedisProcess server, Node leader) {
        RedisURI uri = Lettuce.uri(server);
        String lease = KEYS.lease("default");
        AtomicLong left = new AtomicLong(Long.MAX_VALUE);
        Nodes.await("a renewal by the leader on the new primary").until(() -> {
            Optional<String> held = Optional.ofNullable(Lettuce.call(uri, redis -> redis.hget(lease, "token")));
            long before = left.getAndSet(Lettuce.call(uri, redis -> redis.pttl(lease)));
            return left.get() > before
                    && leader.token().map(FencingToken::toString).equals(held);
        });
    }
}
