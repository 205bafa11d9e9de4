package dev.election.redis;

import dev.election.lease.CampaignRequest;
import dev.election.lease.Candidate;
import dev.election.lease.LeaseStore;
import dev.election.lease.LeaseStoreContract;
import dev.election.testing.AnyRedis;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.TestInstance;

/** The contract over Redis, wherever that comes from. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisContract extends LeaseStoreContract {

    private static final ElectionKeys KEYS = new ElectionKeys("contract");

    private AnyRedis redis;
    private RedisLeaseStore store;

    /** The scripts to use. */
    ScriptSet scripts() {
        return ScriptSet.load();
    }

    /** Before all tests on it. */
    final void open(AnyRedis redis) {
        this.redis = redis;
        store = new RedisLeaseStore(redis.access(), "contract", Duration.ofSeconds(5), HISTORY, scripts());
        // In a Cluster the first request to each node opens a connection, which takes its time.
        for (int i = 0; i < 50; i++) {
            hand().time();
            ask(store.campaign(
                    new CampaignRequest(new Candidate("warm-up-" + i, "w", "w", "w"), LEASE, 0, Duration.ofMillis(1))));
        }
    }

    /** After all tests. */
    final void close() {
        store.close();
        redis.close();
    }

    @Override
    protected LeaseStore store() {
        return store;
    }

    @Override
    protected void forget() {
        hand().del(KEYS.all(election));
    }

    @Override
    protected void loseLease() {
        hand().del(KEYS.lease(election));
    }

    /** Asks the server's own clock, so that a slow machine makes no difference. */
    @Override
    protected void pass(Duration time) {
        long until = now() + time.toMillis();
        while (now() < until) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private long now() {
        List<String> time = hand().time();
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }

    private RedisClusterCommands<String, String> hand() {
        return redis.hand();
    }
}
