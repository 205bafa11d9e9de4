package dev.election.redis;

import dev.election.harness.RedisBinary;
import dev.election.jobs.RunOnceContract;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LeaseStore;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;

/** Tasks that run once, in a Redis of the oldest version that will do. */
@RealTime
class RunOnceOnRedisTest extends RunOnceContract {

    @AutoClose
    private static final RedisServer redis = RedisServer.start(RedisBinary.REDIS_6_2);

    @Override
    protected LeaseStore open(Opened opened) {
        return opened.add(RedisLeaseStore.open(RedisAccess.at(redis.uri()), "once", lease()));
    }

    @Override
    protected Duration lease() {
        return Duration.ofSeconds(2);
    }
}
