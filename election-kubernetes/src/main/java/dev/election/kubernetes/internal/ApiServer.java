package dev.election.kubernetes.internal;

import dev.election.http.HttpCall;
import dev.election.http.HttpConnection;
import dev.election.http.HttpDeadlines;
import dev.election.http.HttpFailure;
import dev.election.http.HttpReply;
import dev.election.http.HttpServer;
import dev.election.http.Json;
import dev.election.http.ProvenConnection;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.record.ConnectionProof;
import dev.election.record.KeptConnections;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Stored;
import dev.election.store.NoAnswer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of the API server on the Leases of a namespace. Each is sent once, on the connection that is given. A reply that is none of the
 * expected ones is an {@link HttpFailure}.
 */
final class ApiServer implements KeptConnections.Kind<ProvenConnection> {

    private static final String PATCH = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String JSON = "application/json";

    /** The server ends a watch after that time, and the watch begins again. */
    private static final Duration WATCH = Duration.ofMinutes(10);

    private final KubernetesAccess access;
    private final ConnectionProof proof = new ConnectionProof();
    private final HttpDeadlines deadlines = new HttpDeadlines("election-kubernetes-deadline");
    private final Duration limit;
    private final String leases;
    private final String pods;

    ApiServer(KubernetesAccess access, Duration limit) {
        this.access = access;
        this.limit = limit;
        this.leases = "/apis/coordination.k8s.io/v1/namespaces/" + access.namespace() + "/leases";
        this.pods = "/api/v1/namespaces/" + access.namespace() + "/pods";
    }

    /** A Lease, {@code null} if there is none. */
    record Found(@Nullable LeaseObject lease, Origin origin) {

        @Nullable
        Stored stored() {
            return lease == null ? null : lease.stored();
        }
    }

    /** The Leases of a list, and its version. */
    record Leases(List<LeaseObject> all, long version, Origin origin) {}

    /** Returns the proof that the API server and its etcd have lost nothing. */
    ConnectionProof proof() {
        return proof;
    }

    @Override
    public ProvenConnection open() throws IOException {
        return new ProvenConnection(this::connect, proof);
    }

    @Override
    public NoAnswer answer(Throwable failure) {
        return ApiFailure.answer(failure);
    }

    /** Takes no more deadlines. */
    void close() {
        deadlines.close();
    }

    private HttpConnection connect() throws IOException {
        return HttpConnection.open(
                new HttpServer(access.server(), access.credentials().tls()), deadlines, limit);
    }

    Found get(ProvenConnection connection, String name) throws IOException {
        ConnectionProof.Sent sent = proof.sending(name);
        HttpReply reply = ask(connection, "GET", leases + "/" + name, null);
        if (reply.status() == 404 && isOf(reply, name)) {
            // For a version.
            return new Found(
                    null,
                    listed(connection, "fieldSelector=" + encoded("metadata.name=" + name))
                            .origin());
        }
        LeaseObject lease = lease(reply, 200, "get of the Lease " + name);
        return new Found(lease, proof.read(connection.link(), sent, lease.version()));
    }

    Leases list(ProvenConnection connection, String selector) throws IOException {
        return listed(connection, "labelSelector=" + encoded(selector));
    }

    private Leases listed(ProvenConnection connection, String query) throws IOException {
        ConnectionProof.Sent sent = proof.sending("");
        Map<String, Object> list = object(ask(connection, "GET", leases + "?" + query, null), 200, "list of Leases");
        long version = Json.number(Json.at(list, "metadata"), "resourceVersion");
        return new Leases(
                Json.objects(list, "items").stream().map(LeaseObject::of).toList(),
                version,
                proof.listed(connection.link(), sent, version));
    }

    /** Creates a Lease; {@code null} if there is one of that name. */
    @Nullable
    LeaseObject create(ProvenConnection connection, String body) throws IOException {
        HttpReply reply = ask(connection, "POST", leases, new HttpCall.Body(JSON, body));
        boolean isThere = reply.status() == 409
                && Json.text(ApiFailure.status(reply), "reason").equals("AlreadyExists");
        return isThere ? null : lease(reply, 201, "create of a Lease");
    }

    /**
     * The outcome of a patch.
     *
     * @param lease the Lease after it
     * @param refusal why there is none: it is gone, a test has failed, the new Lease is invalid, or others wrote it at the same time. The reply
     *     does not say which
     */
    record Patched(@Nullable LeaseObject lease, @Nullable HttpFailure refusal) {}

    Patched patch(ProvenConnection connection, String name, String body) throws IOException {
        HttpReply reply = ask(connection, "PATCH", leases + "/" + name, new HttpCall.Body(PATCH, body));
        String request = "patch of the Lease " + name;
        boolean isGone = reply.status() == 404 && isOf(reply, name);
        return isGone || reply.status() == 422 || reply.status() == 409
                ? new Patched(null, ApiFailure.of(reply, request))
                : new Patched(lease(reply, 200, request), null);
    }

    /** Deletes a Lease if it is still that one. */
    void delete(ProvenConnection connection, LeaseObject lease) throws IOException {
        ask(connection, "DELETE", leases + "/" + lease.name(), new HttpCall.Body(JSON, lease.deletion()));
    }

    /** Passes on each event after that version, until the server ends the watch. */
    void watch(
            ProvenConnection connection,
            String selector,
            long version,
            Runnable begun,
            Consumer<Map<String, Object>> event)
            throws IOException {
        String path = leases + "?watch=1&allowWatchBookmarks=true&resourceVersion=" + version + "&timeoutSeconds="
                + WATCH.toSeconds() + "&labelSelector=" + encoded(selector);
        HttpReply refused = connection.http().stream(
                call("GET", path, null), limit, begun, line -> event.accept(Json.object(line)));
        if (refused != null) {
            throw ApiFailure.of(heard(refused), "watch of Leases");
        }
    }

    /** Returns the metadata of the pods that a selector selects. */
    List<Map<String, Object>> pods(ProvenConnection connection, String selector) throws IOException {
        HttpReply reply = ask(connection, "GET", pods + "?labelSelector=" + encoded(selector), null);
        return Json.objects(object(reply, 200, "list of pods"), "items").stream()
                .map(pod -> Json.at(pod, "metadata"))
                .toList();
    }

    /** Patches a pod unless it is gone, or another one by now. */
    void patchPod(ProvenConnection connection, String name, List<Map<String, Object>> operations) throws IOException {
        HttpReply reply = ask(connection, "PATCH", pods + "/" + name, new HttpCall.Body(PATCH, Json.write(operations)));
        if (reply.status() != 200 && reply.status() != 404 && reply.status() != 422) {
            throw ApiFailure.of(reply, "patch of the pod " + name);
        }
    }

    /** Sets a label of a pod, or removes it for {@code null}. */
    void labelPod(ProvenConnection connection, String name, String label, @Nullable String value) throws IOException {
        HttpReply reply =
                ask(connection, "PATCH", pods + "/" + name, new HttpCall.Body(MERGE, PodLabel.merge(label, value)));
        Map<String, Object> unused = object(reply, 200, "patch of the pod " + name);
    }

    private HttpReply ask(ProvenConnection connection, String method, String path, HttpCall.@Nullable Body body)
            throws IOException {
        return heard(connection.http().exchange(call(method, path, body), limit));
    }

    private HttpReply heard(HttpReply reply) {
        if (reply.status() == 401) {
            access.credentials().refused();
        }
        return reply;
    }

    private HttpCall call(String method, String path, HttpCall.@Nullable Body body) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Accept", JSON);
        String token = access.credentials().token();
        if (token != null) {
            headers.put("Authorization", "Bearer " + token);
        }
        return new HttpCall(method, path, headers, body);
    }

    private static LeaseObject lease(HttpReply reply, int expected, String request) throws IOException {
        return LeaseObject.of(object(reply, expected, request));
    }

    private static Map<String, Object> object(HttpReply reply, int expected, String request) throws IOException {
        if (reply.status() != expected) {
            throw ApiFailure.of(reply, request);
        }
        try {
            return Json.object(reply.body());
        } catch (IllegalArgumentException invalid) {
            throw new IOException("The reply is not from an API server: " + invalid.getMessage(), invalid);
        }
    }

    /** Whether the reply is about a Lease of that name, and not about the namespace or the kind. */
    private static boolean isOf(HttpReply reply, String name) {
        return Json.text(Json.at(ApiFailure.status(reply), "details"), "name").equals(name);
    }

    private static String encoded(String selector) {
        return URLEncoder.encode(selector, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
