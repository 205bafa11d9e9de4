package dev.election.benchmarks;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.RedisLeaseStore;
import io.lettuce.core.RedisURI;
import java.time.Duration;

/**
 * A node inside this JVM that takes part in the default election.
 *
 * @param store its own
 * @param engine its own
 */
record Member(RedisLeaseStore store, ElectionEngine engine) implements AutoCloseable {

    /** Returns when it is known who leads. */
    static Member join(int redisPort, String id) throws InterruptedException {
        RedisLeaseStore store = RedisLeaseStore.open(
                RedisAccess.at(RedisURI.create("127.0.0.1", redisPort)), "bench", Duration.ofSeconds(15));
        ElectionEngine engine =
                ElectionEngine.over(store).as(new NodeInfo(id, "127.0.0.1")).build();
        Member member = new Member(store, engine);
        engine.start();
        if (!member.election().awaitResult(Duration.ofSeconds(30))) {
            throw new IllegalStateException("Nobody leads");
        }
        return member;
    }

    Election election() {
        return engine.get(Election.DEFAULT);
    }

    @Override
    public void close() {
        engine.close();
        store.close();
    }
}
