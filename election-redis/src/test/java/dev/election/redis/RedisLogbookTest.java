package dev.election.redis;

import dev.election.store.Logbook;
import dev.election.store.LogbookContract;
import dev.election.testing.RedisBinary;
import dev.election.testing.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** The logbooks in a Redis of the oldest version that will do. */
class RedisLogbookTest extends LogbookContract {

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
    protected Logbook book() {
        return store.logbook();
    }

    @Override
    protected String election() {
        return election;
    }

    @Override
    protected void forget() {
        redis.call(commands -> commands.del("contract:{" + election + "}:log"));
    }
}
