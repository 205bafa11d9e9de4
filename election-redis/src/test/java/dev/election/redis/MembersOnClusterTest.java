package dev.election.redis;

import dev.election.testing.AnyRedis;
import dev.election.testing.OtherServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The members on a Cluster. */
@OtherServers
class MembersOnClusterTest extends RedisMembersContract {

    @BeforeAll
    void start() {
        open(AnyRedis.cluster());
    }

    @AfterAll
    void stop() {
        close();
    }
}
