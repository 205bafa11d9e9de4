package dev.election.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.kubernetes.internal.MountedCredentials;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KubernetesAccessTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void mount() throws IOException {
        Files.writeString(folder.resolve("namespace"), "shop\n");
        Files.writeString(folder.resolve("token"), "the token\n");
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.1, 6443, https://10.0.0.1:6443",
        "10.0.0.1, , https://10.0.0.1:443",
        "fd00::1, 6443, https://[fd00::1]:6443"
    })
    void a_pod_needs_no_settings(String host, String port, String address) throws IOException {
        Map<String, String> environment = port == null
                ? Map.of("KUBERNETES_SERVICE_HOST", host)
                : Map.of("KUBERNETES_SERVICE_HOST", host, "KUBERNETES_SERVICE_PORT_HTTPS", port);
        KubernetesAccess access = KubernetesAccess.mounted(folder, environment);
        assertThat(access.server()).isEqualTo(URI.create(address));
        assertThat(access.namespace()).isEqualTo("shop");
        assertThat(access.credentials().token()).isEqualTo("the token");
    }

    @Test
    void outside_a_pod_there_is_none() {
        assertThatThrownBy(() -> KubernetesAccess.mounted(folder, Map.of()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("KUBERNETES_SERVICE_HOST is not set");
    }

    @Test
    void a_pod_without_a_service_account_has_none() {
        assertThatThrownBy(() -> KubernetesAccess.mounted(
                        folder.resolve("missing"), Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("No service account is mounted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "ftp://host", "https:///path", "//host", ""})
    void an_address_needs_a_scheme_and_a_host(String address) {
        URI server = URI.create(address);
        assertThatThrownBy(() -> new KubernetesAccess(server, "default", new MountedCredentials(folder)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must have https or http and a host");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Shop",
                "-shop",
                "shop-",
                "a/b",
                "a.b",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void a_namespace_is_named_as_kubernetes_names_it(String namespace) {
        assertThatThrownBy(() ->
                        new KubernetesAccess(URI.create("https://host"), namespace, new MountedCredentials(folder)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("A namespace has 1 to 63");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Shop", "-shop", "shop-", "a/b", "a.b"})
    void a_prefix_is_the_beginning_of_a_name(String prefix) {
        assertThatThrownBy(() -> new KubernetesSettings(prefix, 5, null, "prefix"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("The prefix of the Leases has 1 to 63");
    }
}
