package dev.election.redis;

import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LedgerStore;
import dev.election.testing.LeaderStateContract;
import dev.election.testing.Opened;
import dev.election.testing.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;

/** The state of leaders in a Redis of the oldest version that will do. */
class LeaderStateOnRedisTest extends LeaderStateContract {

    @AutoClose
    private static final Opened opened = new Opened();

    private static final RedisServer redis = opened.add(RedisServer.start(RedisBinary.REDIS_6_2));
    private static final RedisLeaseStore store =
            opened.add(RedisLeaseStore.open(RedisAccess.at(redis.uri()), "contract", Duration.ofSeconds(15)));

    private static int tests;

    private final String election = "e" + ++tests;

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
