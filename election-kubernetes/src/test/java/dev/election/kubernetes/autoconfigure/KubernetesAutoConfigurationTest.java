package dev.election.kubernetes.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.autoconfigure.DocumentedProperties;
import dev.election.autoconfigure.StoreWiringContract;
import dev.election.harness.StrictApiServer;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.kubernetes.KubernetesLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.ReadReply;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class KubernetesAutoConfigurationTest extends StoreWiringContract {

    private final StrictApiServer server = new StrictApiServer();
    private final ApplicationContextRunner unset =
            new ApplicationContextRunner().withUserConfiguration(Application.class);

    @TempDir
    private Path folder;

    private ApplicationContextRunner kubernetes = unset;

    KubernetesAutoConfigurationTest() {
        super(KubernetesLeaseStore.class, KubernetesAccess.class);
    }

    @Override
    protected ApplicationContextRunner application() {
        return kubernetes;
    }

    @BeforeEach
    void write() throws IOException {
        Path file = Files.writeString(
                folder.resolve("config"),
                """
                current-context: dev
                contexts: [{name: dev, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: '%s', certificate-authority: '%s'}}]
                users: [{name: u, user: {token: admin}}]
                """
                        .formatted(server.address(), server.certificate()));
        kubernetes = unset.withPropertyValues("election.kubernetes.kubeconfig=" + file);
    }

    @AfterEach
    void stop() {
        server.close();
        assertThat(server.refusals()).isEmpty();
    }

    @Test
    void every_property_is_documented_with_its_default_and_no_other() throws IOException {
        DocumentedProperties.areThoseOfTheMetadata(name -> name.startsWith("election.kubernetes."));
    }

    @Test
    void an_application_with_a_kubeconfig_reaches_its_api_server() {
        kubernetes.withUserConfiguration(Guarded.class).run(context -> {
            assertThat(context).hasSingleBean(KubernetesLeaseStore.class).hasSingleBean(Elections.class);
            LeaseStore store = context.getBean(LeaseStore.class);
            assertThat(store.read("reports").toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ReadReply.Read.class);
            assertThat(store.location())
                    .isEqualTo("Kubernetes (" + server.address() + "), namespace default, Leases election-*");
        });
    }

    @Test
    void prefix_and_namespace_are_those_of_the_properties() {
        kubernetes
                .withPropertyValues("election.kubernetes.prefix=mine", "election.kubernetes.namespace=shop")
                .run(context -> assertThat(context.getBean(LeaseStore.class).location())
                        .endsWith("namespace shop, Leases mine-*"));
    }

    @Test
    void an_access_of_the_application_takes_precedence() {
        KubernetesAccess access = KubeConfig.read(folder.resolve("config"));
        KubernetesAccess own = new KubernetesAccess(URI.create("https://own.example"), "own", access.credentials());
        unset.withBean(KubernetesAccess.class, () -> own)
                .run(context -> assertThat(context.getBean(LeaseStore.class).location())
                        .startsWith("Kubernetes (https://own.example), namespace own,"));
    }

    @Test
    void outside_a_pod_and_without_a_kubeconfig_the_start_says_what_to_set() {
        unset.withUserConfiguration(Guarded.class)
                .withSystemProperties("user.home=" + folder)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining("election.kubernetes.kubeconfig")
                        .hasMessageContaining(".kube/config")
                        .hasMessageContaining("this process runs in no pod"));
    }

    @ParameterizedTest
    @CsvSource({
        "election.kubernetes.prefix=A prefix, election.kubernetes.prefix",
        "election.kubernetes.namespace=A namespace, election.kubernetes.namespace",
        "election.kubernetes.kubeconfig=missing, election.kubernetes.kubeconfig",
        "election.kubernetes.label-pod=true, election.kubernetes.label-pod",
        "election.lease=2s, election.lease"
    })
    void an_invalid_value_fails_the_start_with_its_property(String setting, String property) {
        kubernetes.withPropertyValues(setting).run(context -> assertThat(failure(context))
                .hasMessageContaining(property));
    }

    @Test
    void the_pod_to_label_is_that_of_the_environment() {
        ApplicationContextRunner labelling = kubernetes.withPropertyValues("election.kubernetes.label-pod=true");
        labelling.withPropertyValues("POD_NAME=shop-7f-x2").run(context -> assertThat(context)
                .hasSingleBean(KubernetesLeaseStore.class));
        labelling.run(context -> assertThat(failure(context)).hasMessageContaining("POD_NAME, which is not set"));
        labelling.withPropertyValues("POD_NAME=No pod").run(context -> assertThat(failure(context))
                .hasMessageContaining("which is 'No pod'"));
    }
}
