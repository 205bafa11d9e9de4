package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.SentinelGroup;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Lettuce;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.Opened;
import dev.election.testing.OtherServers;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Wherever the Sentinels move the primary, the election follows, and there are never two leaders. */
@OtherServers
class SentinelTest {

    /**
     * Two thirds of it must outlast the time from the promotion of a replica until the Sentinels have told everybody, here about
     * two seconds: so long the leader renews on a server that is not the primary any more.
     */
    private static final Duration LEASE = Duration.ofSeconds(6);

    @AutoClose
    private final Opened opened = new Opened();

    private final SentinelGroup group = opened.add(SentinelGroup.start(RedisBinary.REDIS_7_0));
    private Nodes nodes;
    private FencingToken token;

    @BeforeEach
    void lead() {
        nodes = opened.add(Nodes.start(3, LEASE, RedisAccess.at(Lettuce.uri(group))));
        Node leader = nodes.awaitLeader();
        token = leader.token().orElseThrow();
    }

    @Test
    void after_the_death_of_the_primary_somebody_leads_on_the_new_one() {
        group.first().kill();
        group.awaitPrimary(group.second());
        assertThatSomebodyLeadsOn(group.second());
    }

    @Test
    void a_primary_that_freezes_and_thaws_after_the_failover_brings_no_old_leadership_back() {
        group.first().freeze();
        group.awaitPrimary(group.second());
        group.first().thaw();
        assertThatSomebodyLeadsOn(group.second());
    }

    @Test
    void after_a_failover_that_was_asked_for_somebody_leads_on_the_new_primary() {
        group.failOver();
        group.awaitPrimary(group.second());
        assertThatSomebodyLeadsOn(group.second());
    }

    private void assertThatSomebodyLeadsOn(RedisProcess primary) {
        RedisURI uri = Lettuce.uri(primary);
        String lease = new ElectionKeys(Nodes.PREFIX).lease("default");
        AtomicLong left = new AtomicLong(Long.MAX_VALUE);
        Nodes.await("a leader whose lease is renewed on the new primary").until(() -> {
            String held = Lettuce.call(uri, redis -> redis.hget(lease, "token"));
            long before = left.getAndSet(Lettuce.call(uri, redis -> redis.pttl(lease)));
            return left.get() > before
                    && nodes.all().stream()
                            .flatMap(node -> node.token().stream())
                            .anyMatch(led -> led.toString().equals(held));
        });
        Node leader = nodes.awaitLeader();
        FencingToken present = leader.token().orElseThrow();
        nodes.assertThatLeadershipLasts(leader, present, LEASE);
        assertThat(present.value()).isGreaterThanOrEqualTo(token.value());
        nodes.awaitRecovery();
    }
}
