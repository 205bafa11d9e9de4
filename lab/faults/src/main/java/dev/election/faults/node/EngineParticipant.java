package dev.election.faults.node;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.internal.engine.ShiftedEngine;
import dev.election.redis.RedisKeySpace;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.SettleTime;

/** The engine over the Redis store, as an application without Spring uses them. */
public final class EngineParticipant implements Participant {

    private final RedisLeaseStore store;
    private final ElectionEngine engine;

    private EngineParticipant(RedisLeaseStore store, ElectionEngine engine) {
        this.store = store;
        this.engine = engine;
    }

    static EngineParticipant of(NodeSettings settings) {
        RedisLeaseStore store = RedisLeaseStore.open(
                settings.store().access(),
                RedisKeySpace.of(Node.KEY_PREFIX),
                settings.lease(),
                RedisLeaseStore.DEFAULT_HISTORY,
                SettleTime.AS_NEEDED,
                settings.store().replicas());
        return over(store, settings);
    }

    /** Over a store that need not be as it should. */
    public static EngineParticipant over(RedisLeaseStore store, NodeSettings settings) {
        NodeInfo identity = settings.identity();
        ElectionEngine engine = settings.wallShift().isZero()
                ? ElectionEngine.over(store)
                        .as(identity)
                        .timing(settings.timing())
                        .build()
                : ShiftedEngine.build(store, identity, settings.timing(), settings.wallShift());
        return new EngineParticipant(store, engine);
    }

    @Override
    public Election election(String name) {
        return engine.get(name);
    }

    @Override
    public void start() {
        engine.start();
    }

    @Override
    public void leave() {
        engine.close();
        store.close();
    }
}
