package dev.election.redis;

import dev.election.testing.AnyRedis;
import dev.election.testing.OtherServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a Cluster. In a class of its own: classes run side by side. */
@OtherServers
class StoreOnClusterTest extends RedisContract {

    @BeforeAll
    void start() {
        open(AnyRedis.cluster());
    }

    @AfterAll
    void stop() {
        close();
    }
}
