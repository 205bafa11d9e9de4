package dev.election.kubernetes.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ElectionConfigurationException;
import dev.election.harness.ApiServer.ClientFiles;
import dev.election.harness.StrictApiServer;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.kubernetes.KubernetesSettings;
import dev.election.kubernetes.internal.KubernetesRecordStore;
import dev.election.record.RecordStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KubeConfigTest {

    private static final StrictApiServer SERVER = new StrictApiServer();

    @TempDir
    private Path folder;

    @AfterAll
    static void stop() {
        SERVER.close();
        assertThat(SERVER.refusals()).isEmpty();
    }

    /** Writes a kubeconfig whose current context has that cluster and that user, each as in YAML. */
    private Path write(String cluster, String user) throws IOException {
        return write(
                """
                current-context: dev
                contexts:
                - {name: other, context: {cluster: o, user: o}}
                - {name: dev, context: {cluster: c, user: u}}
                clusters:
                - {name: c, cluster: {server: '%s', %s}}
                users:
                - {name: o, user: {exec: {command: aws}}}
                - {name: u, user: {%s}}
                """
                        .formatted(SERVER.address(), cluster, user));
    }

    private Path write(String text) throws IOException {
        Files.copy(SERVER.certificate(), folder.resolve("ca.crt"));
        ClientFiles client = SERVER.client();
        Files.copy(client.certificate(), folder.resolve("client.crt"));
        Files.copy(client.key(), folder.resolve("client.key"));
        Files.writeString(folder.resolve("token"), "admin\n");
        return Files.writeString(folder.resolve("config"), text);
    }

    private static String data(Path file) throws IOException {
        return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
    }

    private static RecordStore.ReadOutcome read(KubernetesAccess access) {
        try (KubernetesRecordStore store =
                new KubernetesRecordStore(access, KubernetesSettings.DEFAULT, Duration.ofSeconds(3))) {
            return store.read("a")
                    .toCompletableFuture()
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token: admin",
                "tokenFile: token",
                "'client-certificate': client.crt, 'client-key': client.key",
                "INLINE"
            })
    void the_current_context_reaches_its_api_server(String user) throws IOException {
        ClientFiles client = SERVER.client();
        String shown = user.equals("INLINE")
                ? "client-certificate-data: " + data(client.certificate()) + ", client-key-data: " + data(client.key())
                : user;
        KubernetesAccess access = KubeConfig.read(write("certificate-authority: ca.crt", shown));
        assertThat(access.namespace()).isEqualTo("default");
        assertThat(read(access)).isInstanceOf(RecordStore.Read.class);
    }

    @Test
    void the_authority_may_be_inline_or_anywhere() throws IOException {
        Path inline = write("certificate-authority-data: " + data(SERVER.certificate()), "token: admin");
        assertThat(read(KubeConfig.read(inline))).isInstanceOf(RecordStore.Read.class);
        Files.writeString(
                inline,
                Files.readString(inline)
                        .replaceAll(
                                "certificate-authority-data: [^}]*",
                                "certificate-authority: '" + SERVER.certificate() + "'"));
        assertThat(read(KubeConfig.read(inline))).isInstanceOf(RecordStore.Read.class);
    }

    @Test
    void without_an_authority_those_of_the_jdk_are_trusted() throws IOException {
        KubernetesAccess access = KubeConfig.read(write("insecure-skip-tls-verify: false", "token: admin"));
        assertThat(access.credentials().tls()).isNull();
        assertThat(access.credentials().token()).isEqualTo("admin");
        assertThat(read(access)).isInstanceOf(RecordStore.Failed.class);
    }

    @Test
    void a_token_of_a_file_is_read_each_time() throws IOException {
        KubernetesAccess access = KubeConfig.read(write("certificate-authority: ca.crt", "tokenFile: token"));
        assertThat(access.credentials().token()).isEqualTo("admin");
        Files.writeString(folder.resolve("token"), "next");
        assertThat(access.credentials().token()).isEqualTo("next");
    }

    @Test
    void the_namespace_is_that_of_the_context() throws IOException {
        Path file = write("certificate-authority: ca.crt", "token: admin");
        Files.writeString(file, Files.readString(file).replace("user: u}}", "user: u, namespace: shop}}"));
        assertThat(KubeConfig.read(file).namespace()).isEqualTo("shop");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "certificate-authority: ca.crt | 'exec: {command: aws}' | kubectl create token <service account>",
                "certificate-authority: ca.crt | 'auth-provider: {name: gcp}' | which is not run here",
                "insecure-skip-tls-verify: true | token: admin | name the certificate-authority instead",
                "certificate-authority: missing.crt | token: admin | certificate-authority can't be read",
                "certificate-authority-data: not.base64 | token: admin | Illegal base64 character",
                "certificate-authority: token | token: admin | certificate-authority is no PEM text",
                "certificate-authority: ca.crt | 'client-certificate: missing.crt' | client-certificate can't be read",
                "certificate-authority: ca.crt | 'client-certificate: client.crt, client-key: token' | client-key is no PEM text",
                "certificate-authority: client.key | token: admin | ''"
            })
    void what_can_not_be_used_is_told_with_the_file_and_the_way_out(String cluster, String user, String why)
            throws IOException {
        assertUnusable(write(cluster, user), why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "current-context: dev | current-context: missing | it has no context 'missing'",
                "current-context: dev | '' | it has no context ''",
                "cluster: c, user: u | cluster: x, user: u | it has no cluster 'x'",
                "cluster: c, user: u | cluster: c, user: x | it has no user 'x'",
                "server: 'https:// | server: 'nonsense:// | must have https or http and a host",
                "user: u} | 'user: u, namespace: Shop}' | A namespace has"
            })
    void what_is_missing_or_invalid_is_told(String part, String instead, String why) throws IOException {
        Path file = write("certificate-authority: ca.crt", "token: admin");
        Files.writeString(file, Files.readString(file).replace(part, instead));
        assertUnusable(file, why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "just a text", "- a\n- list", "{", "a: !!java.net.URL [http://localhost]"})
    void what_is_no_kubeconfig_is_told(String text) throws IOException {
        assertUnusable(write(text), "");
    }

    @Test
    void a_file_that_can_not_be_read_is_told() {
        assertUnusable(folder.resolve("missing"), "it can't be read");
        assertUnusable(folder, "it can't be read");
    }

    private static void assertUnusable(Path file, String why) {
        assertThatThrownBy(() -> KubeConfig.read(file))
                .isInstanceOfSatisfying(ElectionConfigurationException.class, failure -> {
                    assertThat(failure)
                            .hasMessageContaining("election.kubernetes.kubeconfig")
                            .hasMessageContaining("The kubeconfig " + file + " can't be used: ")
                            .hasMessageContaining(why);
                });
    }
}
