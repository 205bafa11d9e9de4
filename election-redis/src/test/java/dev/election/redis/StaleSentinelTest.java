package dev.election.redis;

import dev.election.FencingToken;
import dev.election.testing.Lettuce;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import dev.election.testing.SplitGroup;
import io.lettuce.core.RedisURI;
import java.time.Duration;
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
        try (SplitGroup group = SplitGroup.start();
                Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(group.uri()))) {
            Node leader = nodes.awaitLeader();
            nodes.join(1, RedisAccess.at(group.otherUri()));
            RedisURI old = Lettuce.uri(group.first());
            Nodes.await("the follower").until(() -> Lettuce.call(old, redis -> redis.zcard(KEYS.queue("default"))) > 0);

            group.split();

            awaitRenewal(group.promoted(), leader);
            nodes.assertThatLeadershipLasts(leader, leader.token().orElseThrow(), LEASE.multipliedBy(2));
        }
    }

    @Test
    void a_process_that_is_started_then_leads_on_the_new_primary() {
        try (SplitGroup group = SplitGroup.start()) {
            group.split();
            try (Nodes nodes = Nodes.start(1, LEASE, RedisAccess.at(group.uri()))) {
                awaitRenewal(group.promoted(), nodes.awaitLeader());
            }
        }
    }

    private static void awaitRenewal(RedisServer server, Node leader) {
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
