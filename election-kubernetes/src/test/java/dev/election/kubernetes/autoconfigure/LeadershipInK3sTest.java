package dev.election.kubernetes.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.kubernetes.KubernetesLeaseStore;
import dev.election.kubernetes.KubernetesSettings;
import dev.election.testing.OtherServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.k3s.K3sContainer;
import org.testcontainers.utility.DockerImageName;

/** Leadership over a whole cluster, with admission, controllers and its own kubeconfig, where a container engine answers. */
@OtherServers
@EnabledIf("isPossible")
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeadershipInK3sTest {

    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(6));
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final K3sContainer cluster = new K3sContainer(DockerImageName.parse("rancher/k3s:v1.34.1-k3s1"));

    static boolean isPossible() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @BeforeEach
    void start() {
        cluster.start();
    }

    @AfterEach
    void stop() {
        cluster.stop();
    }

    @Test
    void leadership_passes_on_with_a_higher_token(@TempDir Path folder) throws Exception {
        KubernetesAccess access =
                KubeConfig.read(Files.writeString(folder.resolve("config"), cluster.getKubeConfigYaml()));
        try (KubernetesLeaseStore ofFirst = open(access);
                KubernetesLeaseStore ofSecond = open(access);
                ElectionEngine first = node(ofFirst, "first");
                ElectionEngine second = node(ofSecond, "second")) {
            first.start();
            assertThat(first.get("default").awaitLeadership(PATIENCE)).isTrue();
            FencingToken token = first.get("default").leadership().orElseThrow().token();
            second.start();
            assertThat(second.get("default").awaitResult(PATIENCE)).isTrue();
            assertThat(second.get("default").leader().orElseThrow().node()).isEqualTo("first");

            first.close();

            assertThat(second.get("default").awaitLeadership(PATIENCE)).isTrue();
            assertThat(second.get("default").leadership().orElseThrow().token()).isGreaterThan(token);
        }
    }

    private static KubernetesLeaseStore open(KubernetesAccess access) {
        return KubernetesLeaseStore.open(access, TIMING.lease(), KubernetesSettings.DEFAULT);
    }

    private static ElectionEngine node(KubernetesLeaseStore store, String id) {
        return ElectionEngine.over(store)
                .timing(TIMING)
                .as(new NodeInfo(id, "127.0.0.1"))
                .build();
    }
}
