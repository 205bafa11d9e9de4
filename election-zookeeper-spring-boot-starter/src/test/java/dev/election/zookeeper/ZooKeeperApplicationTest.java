package dev.election.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.TemporaryFolders;
import dev.election.harness.ZooKeeperServer;
import dev.election.quartz.WholeApplicationContract;
import dev.election.store.LeaseStore;
import dev.election.testing.RealTime;
import java.util.List;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.ClassUtils;

/** All that works over Redis, in ZooKeeper. The wiring is tried in each build, by contexts without an application. */
@RealTime
class ZooKeeperApplicationTest extends WholeApplicationContract {

    /** Stays until the end: the application releases its lease when it is closed. */
    private static final ZooKeeperServer SERVER =
            new ZooKeeperServer(Children.OF_THIS_JVM, TemporaryFolders.create("election-zookeeper"));

    @Autowired
    private LeaseStore store;

    @DynamicPropertySource
    static void ensemble(DynamicPropertyRegistry registry) {
        SERVER.start();
        registry.add("election.zookeeper.connect", SERVER::address);
    }

    @Test
    void a_whole_application_runs_in_zookeeper() throws Exception {
        assertThat(store).isInstanceOf(ZooKeeperLeaseStore.class);
        assertRuns("ZooKeeper (" + SERVER.address() + "/election)");
        try (ZooKeeper client = new ZooKeeper(SERVER.address(), 10_000, event -> {})) {
            assertThat(client.getChildren("/election", false)).contains("elections", "members");
            Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(
                            client.getAllChildrenNumber("/election/ledger"))
                    .isPositive());
            assertThat(client.getEphemerals("/")).isEmpty();
        }
    }

    @Test
    void there_is_no_curator_and_no_other_store() {
        assertThat(List.of(
                        "org.apache.curator.framework.CuratorFramework",
                        "io.lettuce.core.RedisClient",
                        "dev.election.redis.RedisLeaseStore",
                        "dev.election.jdbc.JdbcLeaseStore",
                        "dev.election.kubernetes.KubernetesLeaseStore"))
                .noneMatch(type -> ClassUtils.isPresent(type, ZooKeeperApplicationTest.class.getClassLoader()));
    }
}
