package dev.election.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.StrictApiServer;
import dev.election.quartz.WholeApplicationContract;
import dev.election.store.LeaseStore;
import dev.election.testing.RealTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;
import org.springframework.util.ClassUtils;

/** All that works over Redis, over Leases. The wiring is tried in each build, by contexts without an application. */
@RealTime
@TestPropertySource(properties = {"POD_NAME=p-1", "election.kubernetes.label-pod=true"})
class KubernetesApplicationTest extends WholeApplicationContract {

    private static final StrictApiServer SERVER = new StrictApiServer();

    @TempDir
    private static Path folder;

    @Autowired
    private LeaseStore store;

    @DynamicPropertySource
    static void kubeconfig(DynamicPropertyRegistry registry) throws IOException {
        SERVER.put("/api/v1/namespaces/default/pods/p-1", "{\"metadata\":{\"name\":\"p-1\"}}");
        Path file = Files.writeString(
                folder.resolve("config"),
                """
                current-context: dev
                contexts: [{name: dev, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: '%s', certificate-authority: '%s'}}]
                users: [{name: u, user: {token: admin}}]
                """
                        .formatted(SERVER.address(), SERVER.certificate()));
        registry.add("election.kubernetes.kubeconfig", file::toString);
    }

    /** The server stays: the application releases its lease when it is closed after this. */
    @AfterAll
    static void nothingWasRefused() {
        assertThat(SERVER.refusals()).isEmpty();
    }

    private static String lease(String name) {
        return SERVER.get("/apis/coordination.k8s.io/v1/namespaces/default/leases/" + name);
    }

    @Test
    void a_whole_application_runs_on_leases() throws Exception {
        assertThat(store).isInstanceOf(KubernetesLeaseStore.class);
        assertRuns("namespace default, Leases election-*");

        assertThat(lease("election-reports")).contains("\"holderIdentity\":\"node-1\"", "\"leaseDurationSeconds\":5");
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(
                        SERVER.get("/api/v1/namespaces/default/pods/p-1"))
                .contains("\"election.dev/reports\":\"leader\""));
        Awaitility.await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(
                        lease("election-ledger.reports"))
                .contains("\"election.dev/folder\":\"ledger\""));
    }

    @Test
    void there_is_no_client_of_kubernetes_or_of_another_store() {
        assertThat(List.of(
                        "io.fabric8.kubernetes.client.KubernetesClient",
                        "io.kubernetes.client.openapi.ApiClient",
                        "io.lettuce.core.RedisClient",
                        "dev.election.redis.RedisLeaseStore",
                        "dev.election.jdbc.JdbcLeaseStore"))
                .noneMatch(type -> ClassUtils.isPresent(type, KubernetesApplicationTest.class.getClassLoader()));
    }
}
