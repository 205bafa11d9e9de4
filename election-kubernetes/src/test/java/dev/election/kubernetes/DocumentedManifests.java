package dev.election.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.ApiServer;
import dev.election.harness.Wait;
import dev.election.http.HttpCall;
import dev.election.http.HttpConnection;
import dev.election.http.HttpDeadlines;
import dev.election.http.HttpReply;
import dev.election.http.HttpServer;
import dev.election.http.Json;
import dev.election.kubernetes.internal.KubernetesRecordStore;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Listed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Manifests of the page: they can be applied as they are, and grant what the store asks for and nothing else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class DocumentedManifests {

    private static final Path PAGE = Path.of("..", "docs", "kubernetes.md");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```yaml\\n(.*?)^```");

    private static final String NAMESPACED = "/namespaces/" + ApiServer.NAMESPACE + "/";
    private static final String ACCOUNT = "shop";
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final List<Map<String, Object>> manifests = manifests();
    private final ApiServer server;
    private final HttpDeadlines deadlines = new HttpDeadlines("test");

    DocumentedManifests(ApiServer server) {
        this.server = server;
    }

    @BeforeAll
    void apply() {
        manifests.forEach(manifest -> server.put(path(manifest), Json.write(manifest)));
        Wait.until("the rights of the Role", LIMIT, () -> may("get", "coordination.k8s.io", "leases"));
    }

    @AfterAll
    void close() {
        deadlines.close();
    }

    @Test
    void the_server_keeps_each_field_of_each_manifest() {
        assertThat(manifests)
                .extracting(manifest -> manifest.get("kind"))
                .contains("ServiceAccount", "Role", "RoleBinding", "Deployment", "Service");
        assertThat(manifests).allSatisfy(manifest -> assertKept(manifest, Json.object(server.get(path(manifest)))));
    }

    @ParameterizedTest
    @CsvSource({"get", "list", "watch", "create", "patch", "delete"})
    void the_role_grants_each_verb_on_leases(String verb) throws IOException {
        assertThat(may(verb, "coordination.k8s.io", "leases")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "update, coordination.k8s.io, leases",
        "deletecollection, coordination.k8s.io, leases",
        "get, '', secrets",
        "list, '', secrets",
        "get, '', configmaps",
        "delete, '', pods",
        "get, '', pods",
        "create, '', pods/exec"
    })
    void the_roles_grant_nothing_else(String verb, String group, String resource) throws IOException {
        assertThat(may(verb, group, resource)).isFalse();
    }

    @Test
    void the_role_for_the_label_grants_list_and_patch_of_pods_once_it_is_bound() throws IOException {
        assertThat(may("list", "", "pods")).isFalse();
        Map<String, Object> binding = new LinkedHashMap<>(only("RoleBinding"));
        Map<String, Object> role = new LinkedHashMap<>(Json.at(binding, "roleRef"));
        role.put("name", "leader-label");
        binding.put("roleRef", role);
        binding.put("metadata", Map.of("name", "leader-label"));
        server.put(path(binding), Json.write(binding));
        Wait.until("the rights of the Role for the label", LIMIT, () -> may("list", "", "pods"));
        assertThat(may("patch", "", "pods")).isTrue();
        assertThat(may("delete", "", "pods")).isFalse();
    }

    @Test
    void the_store_does_all_that_it_does_with_the_token_of_the_service_account() throws Exception {
        KubernetesAccess access = TestAccess.to(server, token());
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        try (KubernetesRecordStore records =
                new KubernetesRecordStore(access, KubernetesSettings.DEFAULT, Duration.ofSeconds(15))) {
            var subscription = records.watch("reports", heard::add);
            Wait.until("the watch", LIMIT, records::hearsAtOnce);
            Stored first = written(records.replace("reports", null, "one"));
            assertThat(heard.poll(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Change.Text.class,
                            change -> assertThat(change.read().stored().text()).isEqualTo("one"));
            Stored second = written(records.replace("reports", first, "two"));
            assertThat(ask(records.read("reports")))
                    .isInstanceOfSatisfying(
                            Read.class, read -> assertThat(read.stored().text()).isEqualTo("two"));
            assertThat(ask(records.list("rep")))
                    .isInstanceOfSatisfying(
                            Listed.class, listed -> assertThat(listed.keys()).containsExactly("reports"));
            assertThat(ask(records.delete("reports", second))).isInstanceOf(Written.class);
            Wait.until("the deletion", LIMIT, () -> !leases().contains("election-reports"));
            subscription.close();
        }
    }

    private String leases() {
        return server.get("/apis/coordination.k8s.io/v1" + NAMESPACED + "leases");
    }

    private static Stored written(CompletionStage<?> answer) {
        return ((Written) ask(answer)).stored();
    }

    private static Object ask(CompletionStage<?> answer) {
        return answer.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private String token() throws IOException {
        return Json.text(
                Json.at(
                        post(
                                "/api/v1" + NAMESPACED + "serviceaccounts/" + ACCOUNT + "/token",
                                Map.of(
                                        "apiVersion", "authentication.k8s.io/v1",
                                        "kind", "TokenRequest",
                                        "spec", Map.of("expirationSeconds", 3600))),
                        "status"),
                "token");
    }

    private boolean may(String verb, String group, String resource) throws IOException {
        String user = "system:serviceaccount:" + ApiServer.NAMESPACE + ":" + ACCOUNT;
        Map<String, Object> review = post(
                "/apis/authorization.k8s.io/v1/subjectaccessreviews",
                Map.of(
                        "apiVersion",
                        "authorization.k8s.io/v1",
                        "kind",
                        "SubjectAccessReview",
                        "spec",
                        Map.of(
                                "user",
                                user,
                                "groups",
                                List.of(
                                        "system:serviceaccounts",
                                        "system:serviceaccounts:" + ApiServer.NAMESPACE,
                                        "system:authenticated"),
                                "resourceAttributes",
                                Map.of(
                                        "namespace", ApiServer.NAMESPACE,
                                        "verb", verb,
                                        "group", group,
                                        "resource", resource))));
        return Boolean.TRUE.equals(Json.at(review, "status").get("allowed"));
    }

    private Map<String, Object> post(String path, Map<String, Object> body) throws IOException {
        KubernetesAccess access = TestAccess.to(server);
        HttpServer address =
                new HttpServer(access.server(), access.credentials().tls());
        try (HttpConnection connection = HttpConnection.open(address, deadlines, LIMIT)) {
            HttpReply reply = connection.exchange(
                    new HttpCall(
                            "POST",
                            path,
                            Map.of(
                                    "Authorization",
                                    "Bearer " + access.credentials().token()),
                            new HttpCall.Body("application/json", Json.write(body))),
                    LIMIT);
            assertThat(reply.status()).as(reply.body()).isEqualTo(201);
            return Json.object(reply.body());
        }
    }

    private Map<String, Object> only(String kind) {
        List<Map<String, Object>> found = manifests.stream()
                .filter(manifest -> kind.equals(manifest.get("kind")))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    /** Reads all documents in the YAML blocks of the page. */
    private static List<Map<String, Object>> manifests() {
        try {
            List<Map<String, Object>> all = new ArrayList<>();
            Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
            BLOCK.matcher(Files.readString(PAGE)).results().forEach(block -> yaml.loadAll(block.group(1))
                    .forEach(document -> all.add(Json.at(Map.of("document", document), "document"))));
            return all;
        } catch (IOException unreadable) {
            throw new AssertionError(unreadable);
        }
    }

    /** Returns the path of an object, as kubectl finds it by kind and name. */
    private static String path(Map<String, Object> manifest) {
        String version = Json.text(manifest, "apiVersion");
        return (version.contains("/") ? "/apis/" : "/api/")
                + version
                + NAMESPACED
                + Json.text(manifest, "kind").toLowerCase(Locale.ROOT)
                + "s/"
                + Json.text(Json.at(manifest, "metadata"), "name");
    }

    /** A server leaves out what it does not know, such as a misspelled field. */
    private static void assertKept(Object documented, Object kept) {
        if (documented instanceof Map<?, ?> map) {
            assertThat(kept).isInstanceOf(Map.class);
            map.forEach((name, value) -> assertKept(value, ((Map<?, ?>) kept).get(name)));
        } else if (documented instanceof List<?> list) {
            assertThat(kept).asInstanceOf(InstanceOfAssertFactories.LIST).hasSameSizeAs(list);
            for (int i = 0; i < list.size(); i++) {
                assertKept(list.get(i), ((List<?>) kept).get(i));
            }
        } else {
            assertThat(String.valueOf(kept)).isEqualTo(String.valueOf(documented));
        }
    }
}
