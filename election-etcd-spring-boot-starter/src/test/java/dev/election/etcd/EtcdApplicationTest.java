package dev.election.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.EtcdServer;
import dev.election.quartz.WholeApplicationContract;
import dev.election.store.LeaseStore;
import dev.election.testing.OtherServers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.ClassUtils;

/** All that works over Redis, over etcd. The server stays: the application releases its lease when it is closed after this. */
@OtherServers
class EtcdApplicationTest extends WholeApplicationContract {

    @Autowired
    private LeaseStore store;

    @DynamicPropertySource
    static void endpoints(DynamicPropertyRegistry registry) {
        EtcdServer server = new EtcdServer();
        registry.add("election.etcd.endpoints", () -> server.address().toString());
    }

    @Test
    void a_whole_application_runs_on_etcd() throws Exception {
        assertThat(store).isInstanceOf(EtcdLeaseStore.class);
        assertRuns("keys election/*");
    }

    @Test
    void there_is_no_client_of_etcd_or_of_another_store() {
        assertThat(List.of(
                        "io.etcd.jetcd.Client",
                        "io.grpc.Channel",
                        "io.lettuce.core.RedisClient",
                        "dev.election.redis.RedisLeaseStore",
                        "dev.election.jdbc.JdbcLeaseStore"))
                .noneMatch(type -> ClassUtils.isPresent(type, EtcdApplicationTest.class.getClassLoader()));
    }
}
