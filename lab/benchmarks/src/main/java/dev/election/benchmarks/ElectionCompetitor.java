package dev.election.benchmarks;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.etcd.EtcdAccess;
import dev.election.etcd.EtcdLeaseStore;
import dev.election.etcd.EtcdSettings;
import dev.election.harness.PostgresServer;
import dev.election.jdbc.JdbcDatabase;
import dev.election.jdbc.JdbcLeaseStore;
import dev.election.jdbc.JdbcSettings;
import dev.election.jdbc.JdbcTable;
import dev.election.jdbc.TableCreation;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.kubernetes.KubernetesLeaseStore;
import dev.election.kubernetes.KubernetesSettings;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LeaseStore;
import dev.election.zookeeper.ZooKeeperAccess;
import dev.election.zookeeper.ZooKeeperLeaseStore;
import dev.election.zookeeper.ZooKeeperSettings;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A node of this library. */
final class ElectionCompetitor implements Competitor {

    private final ElectionEngine engine;
    private final Runnable close;
    private final List<String> elections;

    private ElectionCompetitor(String id, LeaseStore store, Duration lease, Runnable close, List<String> elections) {
        this.engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, "127.0.0.1"))
                .timing(Timing.ofLease(lease))
                .build();
        this.close = close;
        this.elections = elections;
    }

    static ElectionCompetitor overDatabase(String id, String url, Duration lease, Duration pollInterval) {
        JdbcLeaseStore store = JdbcLeaseStore.open(
                JdbcDatabase.at(url, PostgresServer.SUPERUSER, ""),
                lease,
                new JdbcSettings(JdbcTable.DEFAULT, TableCreation.ALWAYS, pollInterval, 100));
        return new ElectionCompetitor(id, store, lease, store::close, List.of(Election.DEFAULT));
    }

    static ElectionCompetitor overRedis(String id, int port, Duration lease) {
        RedisLeaseStore store =
                RedisLeaseStore.open(RedisAccess.at(RedisURI.create("127.0.0.1", port)), "bench", lease);
        return new ElectionCompetitor(id, store, lease, store::close, List.of(Election.DEFAULT));
    }

    static ElectionCompetitor overKubernetes(
            String id, KubernetesAccess access, Duration lease, List<String> elections) {
        KubernetesLeaseStore store = KubernetesLeaseStore.open(access, lease, KubernetesSettings.DEFAULT);
        return new ElectionCompetitor(id, store, lease, store::close, elections);
    }

    static ElectionCompetitor overEtcd(String id, int port, Duration lease, List<String> elections) {
        EtcdAccess access = new EtcdAccess(List.of(URI.create("http://127.0.0.1:" + port)), null, () -> null);
        EtcdLeaseStore store = EtcdLeaseStore.open(access, lease, EtcdSettings.DEFAULT);
        return new ElectionCompetitor(id, store, lease, store::close, elections);
    }

    static ElectionCompetitor overZooKeeper(String id, int port, Duration lease, List<String> elections) {
        ZooKeeperAccess access = new ZooKeeperAccess("127.0.0.1:" + port, null, null, Map.of());
        ZooKeeperLeaseStore store = ZooKeeperLeaseStore.open(access, lease, ZooKeeperSettings.DEFAULT);
        return new ElectionCompetitor(id, store, lease, store::close, elections);
    }

    @Override
    public void start(Runnable leads) {
        for (String election : elections) {
            engine.get(election).addListener(new LeadershipListener() {
                @Override
                public void onAcquired(LeadershipEvent.Acquired event) {
                    leads.run();
                }
            });
        }
        engine.start();
    }

    @Override
    public void stop() {
        engine.close();
        close.run();
    }
}
