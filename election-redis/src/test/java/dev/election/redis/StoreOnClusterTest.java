package dev.election.redis;

import dev.election.testing.AnyRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract on a Cluster. In a class of its own: classes run side by side. */
@Tag("slow")
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
