package dev.election.faults.node;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.engine.Clock;
import dev.election.etcd.EtcdLeaseStore;
import dev.election.etcd.EtcdSettings;
import dev.election.internal.threads.ElectionThread;
import dev.election.jdbc.JdbcLeaseStore;
import dev.election.jdbc.JdbcSettings;
import dev.election.jdbc.JdbcTable;
import dev.election.jdbc.TableCreation;
import dev.election.kubernetes.KubernetesLeaseStore;
import dev.election.kubernetes.KubernetesSettings;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.redis.RedisKeySpace;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.RedisSettings;
import dev.election.store.LeaseStore;
import dev.election.zookeeper.ZooKeeperLeaseStore;
import dev.election.zookeeper.ZooKeeperSettings;
import java.util.Optional;

/** The engine over the store of the group, as an application without Spring uses them. */
public final class EngineParticipant implements Participant {

    /** How many past leaderships a database keeps. */
    private static final int HISTORY = 100;

    private final ElectionEngine engine;
    private final Runnable closeStore;

    private EngineParticipant(ElectionEngine engine, Runnable closeStore) {
        this.engine = engine;
        this.closeStore = closeStore;
    }

    static EngineParticipant of(NodeSettings settings) {
        return switch (settings.store().kind()) {
            case DATABASE -> overDatabase(settings);
            case KUBERNETES -> overKubernetes(settings);
            case ETCD -> overEtcd(settings);
            case ZOOKEEPER -> overZooKeeper(settings);
            case SERVER, SENTINELS, CLUSTER ->
                over(
                        RedisLeaseStore.open(
                                settings.store().access(),
                                settings.lease(),
                                RedisSettings.of(RedisKeySpace.of(Node.KEY_PREFIX))
                                        .replicas(settings.store().replicas())),
                        settings);
        };
    }

    private static EngineParticipant overEtcd(NodeSettings settings) {
        EtcdLeaseStore store = EtcdLeaseStore.open(settings.store().etcd(), settings.lease(), EtcdSettings.DEFAULT);
        return new EngineParticipant(engine(store, settings), store::close);
    }

    private static EngineParticipant overZooKeeper(NodeSettings settings) {
        ZooKeeperLeaseStore store =
                ZooKeeperLeaseStore.open(settings.store().zookeeper(), settings.lease(), ZooKeeperSettings.DEFAULT);
        return new EngineParticipant(engine(store, settings), store::close);
    }

    private static EngineParticipant overKubernetes(NodeSettings settings) {
        KubernetesLeaseStore store =
                KubernetesLeaseStore.open(settings.store().kubernetes(), settings.lease(), KubernetesSettings.DEFAULT);
        return new EngineParticipant(engine(store, settings), store::close);
    }

    private static EngineParticipant overDatabase(NodeSettings settings) {
        JdbcLeaseStore store = JdbcLeaseStore.open(
                settings.store().database(),
                settings.lease(),
                new JdbcSettings(
                        JdbcTable.DEFAULT, TableCreation.ALWAYS, NodeSettings.pollInterval(settings.lease()), HISTORY));
        return new EngineParticipant(engine(store, settings), store::close);
    }

    /** Over a store that need not be as it should. */
    public static EngineParticipant over(RedisLeaseStore store, NodeSettings settings) {
        return new EngineParticipant(engine(store, settings), store::close);
    }

    private static ElectionEngine engine(LeaseStore store, NodeSettings settings) {
        ElectionEngine.Builder engine = ElectionEngine.over(store)
                .as(settings.identity())
                .timing(settings.timing())
                .members(MemberSettings.none());
        if (!settings.wallShift().isZero()) {
            Clock clock = new ShiftedClock(Clock.system(), settings.wallShift());
            // Its thread ends with the process.
            engine.loop(new ElectionThread(clock), clock);
        }
        if (settings.partitioned()) {
            engine.partitions(Node.ELECTION, settings.elections());
        }
        return engine.build();
    }

    @Override
    public Election election(String name) {
        return engine.get(name);
    }

    @Override
    public Optional<Members> members() {
        return engine.members();
    }

    @Override
    public void start() {
        engine.start();
    }

    @Override
    public void leave() {
        engine.close();
        closeStore.run();
    }
}
