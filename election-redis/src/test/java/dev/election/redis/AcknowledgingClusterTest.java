package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.harness.RedisCluster;
import dev.election.harness.RedisProcess;
import dev.election.redis.client.RedisAccess;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.NoAnswer;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a Cluster the replicas of the member count that runs the script, and of no other. */
@OtherServers
class AcknowledgingClusterTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final String LEASE_KEY = new ElectionKeys(Nodes.PREFIX).lease("default");

    @AutoClose
    private final RedisCluster cluster = RedisCluster.start();

    private final RedisProcess owner = cluster.owner(LEASE_KEY);
    private final RedisProcess replica = cluster.replica(LEASE_KEY);

    @ParameterizedTest
    @ValueSource(strings = {"1", "all"})
    void only_the_replica_of_the_owner_acknowledges(String replicas) {
        try (RedisLeaseStore store = store(replicas)) {
            CampaignReply.Granted granted = lead(store);
            replica.freeze();
            try {
                assertThat(renew(store, granted))
                        .isInstanceOfSatisfying(NoAnswer.class, failure -> assertThat(failure.problem())
                                .isEqualTo(StoreProblem.TOO_FEW_REPLICAS));
            } finally {
                replica.thaw();
            }
            Nodes.await("a renewal").until(() -> renew(store, granted) instanceof RenewReply.Renewed);
        }
    }

    /** A redirect that is followed would run the script at one member and count the replicas of another. */
    @Test
    void after_a_change_of_the_owner_the_next_one_is_found_and_its_replica_acknowledges() {
        try (RedisLeaseStore store = store("1")) {
            CampaignReply.Granted granted = lead(store);
            Lettuce.call(replica, redis -> redis.clusterFailover(false));
            cluster.awaitPromotion(LEASE_KEY);
            Nodes.await("a renewal at the new owner").until(() -> renew(store, granted) instanceof RenewReply.Renewed);
            assertThat(Lettuce.<String>call(owner, redis -> redis.info("replication")))
                    .contains("role:slave");
            owner.freeze();
            try {
                assertThat(renew(store, granted)).isInstanceOf(NoAnswer.class);
            } finally {
                owner.thaw();
            }
        }
    }

    private RedisLeaseStore store(String replicas) {
        return RedisLeaseStore.open(
                RedisAccess.toCluster(Lettuce.uris(cluster)),
                LEASE,
                RedisSettings.of(RedisKeySpace.of(Nodes.PREFIX))
                        .history(0)
                        .replicas(AcknowledgingReplicas.of(replicas)));
    }

    private static CampaignReply.Granted lead(RedisLeaseStore store) {
        CampaignRequest request = new CampaignRequest(candidate(), LEASE, 0, Duration.ofMillis(1));
        return (CampaignReply.Granted) Nodes.await("a grant")
                .until(
                        () -> store.campaign(request).toCompletableFuture().join(),
                        reply -> reply instanceof CampaignReply.Granted);
    }

    private static RenewReply renew(RedisLeaseStore store, CampaignReply.Granted granted) {
        return store.renew(new RenewRequest(candidate(), granted.token(), granted.since(), granted.expiry(), LEASE))
                .toCompletableFuture()
                .join();
    }

    private static Candidate candidate() {
        return new Candidate("default", "one", new NodeInfo("one", "one:80"));
    }
}
