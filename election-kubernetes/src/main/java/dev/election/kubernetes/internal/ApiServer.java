package dev.election.kubernetes.internal;

import dev.election.http.HttpCall;
import dev.election.http.HttpConnection;
import dev.election.http.HttpDeadlines;
import dev.election.http.HttpFailure;
import dev.election.http.HttpReply;
import dev.election.http.HttpServer;
import dev.election.http.Json;
import dev.election.kubernetes.KubernetesAccess;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of the API server on the Leases of a namespace. Each is sent once, on the connection that is given. A reply that is none of the
 * expected ones is an {@link HttpFailure}.
 */
final class ApiServer {

    private static final String PATCH = "application/json-patch+json";
    private static final String MERGE = "application/merge-patch+json";
    private static final String JSON = "application/json";

    /** The server ends a watch after that time, and the watch begins again. */
    private static final Duration WATCH = Duration.ofMinutes(10);

    private final KubernetesAccess access;
    private final HttpDeadlines deadlines;
    private final Duration limit;
    private final String leases;
    private final String pods;

    ApiServer(KubernetesAccess access, HttpDeadlines deadlines, Duration limit) {
        this.access = access;
        this.deadlines = deadlines;
        this.limit = limit;
        this.leases = "/apis/coordination.k8s.io/v1/namespaces/" + access.namespace() + "/leases";
        this.pods = "/api/v1/namespaces/" + access.namespace() + "/pods";
    }

    /** The Leases of a list, and its version. */
    record Leases(List<LeaseObject> all, long version) {}

    /** Connects within the time of an answer. */
    HttpConnection connect() throws IOException {
        return HttpConnection.open(
                new HttpServer(access.server(), access.credentials().tls()), deadlines, limit);
    }

    /** Reads a Lease, {@code null} if there is none. */
    @Nullable
    LeaseObject get(HttpConnection connection, String name) throws IOException {
        HttpReply reply = ask(connection, "GET", leases + "/" + name, null);
        if (reply.status() == 404 && isOf(reply, name)) {
            return null;
        }
        return lease(reply, 200, "get of the Lease " + name);
    }

    Leases list(HttpConnection connection, String selector) throws IOException {
        return listed(connection, "labelSelector=" + encoded(selector));
    }

    /** Lists the Lease of that name if there is one. */
    Leases listOne(HttpConnection connection, String name) throws IOException {
        return listed(connection, "fieldSelector=" + encoded("metadata.name=" + name));
    }

    private Leases listed(HttpConnection connection, String query) throws IOException {
        HttpReply reply = ask(connection, "GET", leases + "?" + query, null);
        if (reply.status() != 200) {
            throw ApiFailure.of(reply, "list of Leases");
        }
        Map<String, Object> list = object(reply);
        List<LeaseObject> all = new ArrayList<>();
        Json.objects(list, "items").forEach(one -> all.add(LeaseObject.of(one)));
        return new Leases(all, Json.number(Json.at(list, "metadata"), "resourceVersion"));
    }

    /** Creates a Lease; {@code null} if there is one of that name. */
    @Nullable
    LeaseObject create(HttpConnection connection, String body) throws IOException {
        HttpReply reply = ask(connection, "POST", leases, new HttpCall.Body(JSON, body));
        boolean isThere = reply.status() == 409
                && Json.text(ApiFailure.status(reply), "reason").equals("AlreadyExists");
        return isThere ? null : lease(reply, 201, "create of a Lease");
    }

    /** The outcome of a patch. */
    sealed interface Patched {

        /** The Lease after it. */
        record Done(LeaseObject lease) implements Patched {}

        /** There is no such Lease. */
        record Missing() implements Patched {}

        /** A test has failed, the new Lease is invalid, or others wrote it at the same time: the reply does not say which. */
        record Refused(HttpFailure failure) implements Patched {}
    }

    Patched patch(HttpConnection connection, String name, String body) throws IOException {
        HttpReply reply = ask(connection, "PATCH", leases + "/" + name, new HttpCall.Body(PATCH, body));
        if (reply.status() == 404 && isOf(reply, name)) {
            return new Patched.Missing();
        }
        if (reply.status() == 422 || reply.status() == 409) {
            return new Patched.Refused(ApiFailure.of(reply, "patch of the Lease " + name));
        }
        return new Patched.Done(lease(reply, 200, "patch of the Lease " + name));
    }

    /** Deletes a Lease if it is still that one. */
    void delete(HttpConnection connection, LeaseObject lease) throws IOException {
        ask(connection, "DELETE", leases + "/" + lease.name(), new HttpCall.Body(JSON, lease.deletion()));
    }

    /** Passes on each event after that version, until the server ends the watch. */
    void watch(
            HttpConnection connection,
            String selector,
            long version,
            Runnable begun,
            Consumer<Map<String, Object>> event)
            throws IOException {
        String path = leases + "?watch=1&allowWatchBookmarks=true&resourceVersion=" + version + "&timeoutSeconds="
                + WATCH.toSeconds() + "&labelSelector=" + encoded(selector);
        HttpReply refused =
                connection.stream(call("GET", path, null), limit, begun, line -> event.accept(Json.object(line)));
        if (refused != null) {
            throw ApiFailure.of(heard(refused), "watch of Leases");
        }
    }

    /** Returns the metadata of the pods that a selector selects. */
    List<Map<String, Object>> pods(HttpConnection connection, String selector) throws IOException {
        HttpReply reply = ask(connection, "GET", pods + "?labelSelector=" + encoded(selector), null);
        if (reply.status() != 200) {
            throw ApiFailure.of(reply, "list of pods");
        }
        return Json.objects(object(reply), "items").stream()
                .map(pod -> Json.at(pod, "metadata"))
                .toList();
    }

    /** Patches a pod unless it is gone, or another one by now. */
    void patchPod(HttpConnection connection, String name, List<Map<String, Object>> operations) throws IOException {
        HttpReply reply = ask(connection, "PATCH", pods + "/" + name, new HttpCall.Body(PATCH, Json.write(operations)));
        if (reply.status() != 200 && reply.status() != 404 && reply.status() != 422) {
            throw ApiFailure.of(reply, "patch of the pod " + name);
        }
    }

    /** Sets a label of a pod, or removes it for {@code null}. */
    boolean labelPod(HttpConnection connection, String name, String label, @Nullable String value) throws IOException {
        HttpReply reply =
                ask(connection, "PATCH", pods + "/" + name, new HttpCall.Body(MERGE, PodLabel.merge(label, value)));
        if (reply.status() != 200) {
            throw ApiFailure.of(reply, "patch of the pod " + name);
        }
        return true;
    }

    private HttpReply ask(HttpConnection connection, String method, String path, HttpCall.@Nullable Body body)
            throws IOException {
        return heard(connection.exchange(call(method, path, body), limit));
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
        if (reply.status() != expected) {
            throw ApiFailure.of(reply, request);
        }
        return LeaseObject.of(object(reply));
    }

    private static Map<String, Object> object(HttpReply reply) throws IOException {
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
