package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.RedisCluster;
import dev.election.testing.RedisServer;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each election lives in one slot of a Cluster and follows it to another owner. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("slow")
class ClusterTest {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final ElectionKeys KEYS = new ElectionKeys(Nodes.PREFIX);

    private final RedisCluster cluster = RedisCluster.start();

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void two_elections_live_on_two_owners_and_one_outlives_the_owner_of_the_other() {
        String here = "here";
        String elsewhere = "elsewhere";
        assertThat(SlotHash.getSlot(KEYS.lease(here))).isNotEqualTo(SlotHash.getSlot(KEYS.lease(elsewhere)));
        RedisServer owner = cluster.owner(KEYS.lease(here));
        assertThat(owner).isNotSameAs(cluster.owner(KEYS.lease(elsewhere)));
        RedisAccess access = RedisAccess.toCluster(cluster.uris());
        try (Nodes first = Nodes.start(3, LEASE, access, here);
                Nodes second = Nodes.start(3, LEASE, access, elsewhere)) {
            FencingToken before = first.awaitLeader().token().orElseThrow();
            second.awaitLeader();
            owner.kill();
            cluster.awaitPromotion(KEYS.lease(here));
            first.awaitRecovery();
            Node leader = first.awaitLeader();
            FencingToken after = leader.token().orElseThrow();
            first.assertThatLeadershipLasts(leader, after, LEASE);
            assertThat(after.value()).isGreaterThanOrEqualTo(before.value());
            second.awaitRecovery();
            second.awaitLeader();
        }
    }

    @Test
    void an_owner_that_freezes_and_thaws_after_its_replica_was_promoted_brings_no_old_leadership_back() {
        RedisServer owner = cluster.owner(KEYS.lease("default"));
        try (Nodes nodes = Nodes.start(3, LEASE, RedisAccess.toCluster(cluster.uris()))) {
            FencingToken before = nodes.awaitLeader().token().orElseThrow();
            owner.freeze();
            cluster.awaitPromotion(KEYS.lease("default"));
            owner.thaw();
            nodes.awaitRecovery();
            Node leader = nodes.awaitLeader();
            FencingToken after = leader.token().orElseThrow();
            nodes.assertThatLeadershipLasts(leader, after, LEASE);
            assertThat(after.value()).isGreaterThanOrEqualTo(before.value());
        }
    }
}
