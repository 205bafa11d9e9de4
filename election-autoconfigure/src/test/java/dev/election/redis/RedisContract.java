package dev.election.redis;

import dev.election.lease.LeaseStore;
import dev.election.lease.LeaseStoreContract;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** The contract over a Redis server, wherever that comes from. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RedisContract extends LeaseStoreContract {

    private static final ElectionKeys KEYS = new ElectionKeys("contract");

    private RedisClient client;
    private StatefulRedisConnection<String, String> hand;
    private RedisLeaseStore store;

    /** Where the server is; starts it if need be. */
    abstract RedisURI server();

    /** The scripts to use. */
    ScriptSet scripts() {
        return ScriptSet.load();
    }

    @BeforeAll
    void open() {
        RedisURI server = server();
        client = RedisClient.create(server);
        hand = client.connect();
        store = new RedisLeaseStore(RedisAccess.at(server), "contract", Duration.ofSeconds(5), scripts());
    }

    @AfterAll
    void close() {
        store.close();
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }

    @Override
    protected LeaseStore store() {
        return store;
    }

    @Override
    protected void forget() {
        List<String> keys = List.of(
                KEYS.lease(election),
                KEYS.term(election),
                KEYS.hold(election),
                KEYS.line(election),
                KEYS.pulse(election));
        hand.sync().del(keys.toArray(String[]::new));
    }

    @Override
    protected void loseLease() {
        hand.sync().del(KEYS.lease(election));
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
        List<String> time = hand.sync().time();
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }
}
