package dev.election.redis;

import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LedgerStore;
import dev.election.testing.LeaderStateContract;
import dev.election.testing.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The state of leaders in a Redis of the oldest version that will do. */
class LeaderStateOnRedisTest extends LeaderStateContract {

    private static RedisServer redis;
    private static RedisLeaseStore store;
    private static int tests;

    private String election;

    @BeforeAll
    static void start() {
        redis = RedisServer.start(RedisBinary.REDIS_6_2);
        store = RedisLeaseStore.open(RedisAccess.at(redis.uri()), "contract", Duration.ofSeconds(15));
    }

    @BeforeEach
    void choose_an_election() {
        tests++;
        election = "e" + tests;
    }

    @AfterAll
    static void stop() {
        store.close();
        redis.close();
    }

    @Override
    protected LedgerStore ledger() {
        return store.ledgerStore().orElseThrow();
    }

    @Override
    protected String election() {
        return election;
    }

    @Override
    protected void forgetState() {
        redis.call(commands -> commands.del("contract:{" + election + "}:log-state"));
    }
}
