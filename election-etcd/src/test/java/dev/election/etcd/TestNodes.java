package dev.election.etcd;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.EtcdServer;
import dev.election.testing.Opened;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** Whole nodes of one election over the members of an etcd. */
final class TestNodes implements AutoCloseable {

    private static final Duration SOON = Duration.ofSeconds(60);

    private final Opened opened = new Opened();
    private final List<EtcdServer> members;

    TestNodes(List<EtcdServer> members) {
        this.members = members;
    }

    Election launch(String id, Duration lease) {
        EtcdLeaseStore store = opened.add(EtcdLeaseStore.open(
                TestStore.access(null, members.toArray(EtcdServer[]::new)), lease, EtcdSettings.DEFAULT));
        ElectionEngine engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, ""))
                .timing(new Timing(lease, Duration.ofMillis(200), Duration.ofSeconds(1)))
                .build();
        opened.add(engine::close);
        Election election = engine.get("e");
        engine.start();
        return election;
    }

    /** Two nodes, of which the first leads and the second follows. */
    record Pair(Election leader, FencingToken token, Election follower) {}

    Pair launchTwo(Duration lease) {
        Election leader = launch("first", lease);
        FencingToken token = awaitLeader(leader);
        Election follower = launch("second", lease);
        Awaitility.await().atMost(SOON).until(() -> follower.leader().isPresent());
        return new Pair(leader, token, follower);
    }

    static FencingToken awaitLeader(Election election) {
        Awaitility.await().atMost(SOON).until(election::isLeader);
        return election.leadership().map(Leadership::token).orElseThrow();
    }

    @Override
    public void close() throws Exception {
        opened.close();
    }
}
