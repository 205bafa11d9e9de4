package dev.election.zookeeper;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.ZooKeeperServer;
import dev.election.testing.Opened;
import dev.election.zookeeper.internal.ZooKeeperRecordStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;

/** Whole nodes of one election, and record stores, below a path of their own. */
final class TestNodes implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(8);

    private static final Duration SOON = Duration.ofSeconds(60);

    private final Opened opened = new Opened();
    private final String path = "/" + UUID.randomUUID();

    ZooKeeperAccess access(List<ZooKeeperServer> some) {
        return TestEnsemble.access(some.stream().map(ZooKeeperServer::address).collect(Collectors.joining(",")) + path);
    }

    ZooKeeperRecordStore records(List<ZooKeeperServer> some) {
        return opened.add(new ZooKeeperRecordStore(access(some), ZooKeeperSettings.DEFAULT, LEASE));
    }

    Election launch(String id, List<ZooKeeperServer> some, Duration lease) {
        ZooKeeperLeaseStore store =
                opened.add(ZooKeeperLeaseStore.open(access(some), lease, ZooKeeperSettings.DEFAULT));
        ElectionEngine engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, ""))
                .timing(new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(1)))
                .build();
        opened.add(engine::close);
        Election election = engine.get("e");
        engine.start();
        return election;
    }

    static FencingToken token(Election election) {
        return election.leadership().map(Leadership::token).orElseThrow();
    }

    static void assertStays(Election leader, FencingToken token, Duration time) {
        Awaitility.await().during(time).atMost(time.plus(SOON)).until(() -> leader.leadership()
                .map(Leadership::token)
                .filter(token::equals)
                .isPresent());
    }

    @Override
    public void close() throws Exception {
        opened.close();
    }
}
