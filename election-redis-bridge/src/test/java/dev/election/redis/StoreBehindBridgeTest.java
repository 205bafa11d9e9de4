package dev.election.redis;

import dev.election.harness.RedisBinary;
import dev.election.redis.bridge.Bridge;
import dev.election.redis.bridge.BridgeSettings;
import dev.election.store.LeaseStore;
import dev.election.testing.AnyRedis;
import dev.election.testing.OtherServers;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The contract with a bridge around the store, while there is no old node. */
@OtherServers
class StoreBehindBridgeTest extends RedisContract {

    private AnyRedis redis;

    /** Those of the test that runs on this thread. */
    private static final ThreadLocal<Bridge> BRIDGE = new ThreadLocal<>();

    private static final ThreadLocal<LeaseStore> BRIDGED = new ThreadLocal<>();

    @BeforeAll
    void start() {
        redis = AnyRedis.embedded(RedisBinary.REDIS_7_0);
        open(redis);
    }

    @AfterAll
    void stop() {
        close();
    }

    @BeforeEach
    void build() {
        BridgeSettings settings = BridgeSettings.of("SCHEDULER_MASTER-" + election())
                .election(election())
                .lock("MASTER_ELECTION_LOCK-" + election())
                .ttl(Duration.ofMinutes(10));
        // The time limit of the store behind it: a slow answer is an answer, too.
        BRIDGE.set(Bridge.open(redis.access(), settings, TIMEOUT));
        BRIDGED.set(BRIDGE.get().decorate(super.store()));
    }

    @AfterEach
    void pullDown() {
        BRIDGE.get().close();
    }

    /** The bridge notes tokens as well. */
    @Override
    public void forget() {
        super.forget();
        redis.hand().del("SCHEDULER_MASTER-" + election());
        redis.hand().del("{SCHEDULER_MASTER-" + election() + "}:election-bridge");
    }

    @Override
    public LeaseStore store() {
        return BRIDGED.get();
    }
}
