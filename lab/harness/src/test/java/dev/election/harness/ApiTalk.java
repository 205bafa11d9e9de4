package dev.election.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A conversation with an API server, and its transcript: of each reply what a store reads, with uids and versions numbered in the order in
 * which they come up, so that it is the same for each server.
 */
final class ApiTalk {

    static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
    static final String PODS = "/api/v1/namespaces/default/pods";

    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern OTHER_VERSION = Pattern.compile("\\(\\d+\\)");

    private final ApiServer server;
    private final HttpClient http;
    private final StringBuilder transcript = new StringBuilder();

    /** Names of uids and versions. */
    private final Map<String, String> names = new LinkedHashMap<>();

    private String token = ApiServer.ADMIN;

    ApiTalk(ApiServer server) {
        this(server, null, Certificate.LOOPBACK);
    }

    /** Presents the first certificate, and trusts the second one. */
    ApiTalk(ApiServer server, Certificate own, Certificate trusted) {
        this.server = server;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(Certificate.context(own, trusted))
                .build();
    }

    ApiServer server() {
        return server;
    }

    String transcript() {
        return transcript.toString();
    }

    /** Talks with that token; without any if it is empty. */
    void as(String token) {
        this.token = token;
    }

    /** Numbers versions anew, which after a restore may be those of before. */
    void forgetVersions() {
        names.values().removeIf(name -> name.startsWith("version"));
    }

    void note(String line) {
        transcript.append(line).append('\n');
    }

    JsonNode read(String name) throws Exception {
        return tell("GET", LEASES + "/" + name, "", "");
    }

    JsonNode list(String selector) throws Exception {
        return tell("GET", LEASES + "?labelSelector=" + selector, "", "");
    }

    JsonNode create(String name, String prefix, String folder, String text, String spec) throws Exception {
        return tell("POST", LEASES, "application/json", lease(name, prefix, folder, text, spec));
    }

    JsonNode patch(String name, JsonNode old, String text, String spec) throws Exception {
        return tell("PATCH", LEASES + "/" + name, "application/json-patch+json", patch(old, text, spec));
    }

    JsonNode delete(String name, String uid, String version) throws Exception {
        String body = "{'apiVersion':'v1','kind':'DeleteOptions','preconditions':{'uid':'%s','resourceVersion':'%s'}}";
        return tell("DELETE", LEASES + "/" + name, "application/json", json(body.formatted(uid, version)));
    }

    static String lease(String name, String prefix, String folder, String text, String spec) throws Exception {
        return json(
                """
                {'apiVersion':'coordination.k8s.io/v1','kind':'Lease','metadata':{'name':'%s',\
                'labels':{'election.dev/prefix':'%s','election.dev/folder':'%s'},\
                'annotations':{'election.dev/key':'the key','election.dev/text':'%s','election.dev/hash':'%s'}},'spec':%s}"""
                        .formatted(name, prefix, folder, text, hash(text), spec));
    }

    /** A patch of what was read. */
    static String patch(JsonNode old, String text, String spec) throws Exception {
        return json(
                """
                [{'op':'test','path':'/metadata/uid','value':'%s'},\
                {'op':'test','path':'/metadata/annotations/election.dev~1hash','value':'%s'},\
                {'op':'replace','path':'/metadata/annotations/election.dev~1text','value':'%s'},\
                {'op':'replace','path':'/metadata/annotations/election.dev~1hash','value':'%s'},\
                {'op':'add','path':'/spec','value':%s}]"""
                        .formatted(
                                uid(old),
                                old.at("/metadata/annotations/election.dev~1hash")
                                        .asString("none"),
                                text,
                                hash(text),
                                spec));
    }

    static String uid(JsonNode object) {
        return object.at("/metadata/uid").asString("none");
    }

    static String version(JsonNode object) {
        return object.at("/metadata/resourceVersion").asString("none");
    }

    static String hash(String text) throws Exception {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        return HexFormat.of().formatHex(Arrays.copyOf(digest, 16));
    }

    static String json(String withApostrophes) {
        return withApostrophes.replace('\'', '"');
    }

    /** Sends a request, writes it and its reply down, and returns the body of the reply. */
    JsonNode tell(String method, String path, String type, String body) throws Exception {
        note("> " + method + " " + named(path) + (type.isEmpty() ? "" : " " + type + " " + shortened(named(body))));
        HttpResponse<String> response = ask(method, path, type, body);
        String contentType = response.headers().firstValue("Content-Type").orElse("none");
        note("< " + response.statusCode() + " " + contentType);
        JsonNode answer = JSON.readTree(response.body());
        note(JSON.writeValueAsString(essence(answer)));
        return answer;
    }

    /** Sends a request without a note of it. */
    HttpResponse<String> ask(String method, String path, String type, String body) throws Exception {
        return http.send(request(method, path, type, body), BodyHandlers.ofString());
    }

    /** Sends a request and returns when the head of its reply is there. */
    HttpResponse<InputStream> open(String path) throws Exception {
        return http.send(request("GET", path, "", ""), BodyHandlers.ofInputStream());
    }

    /** Opens a watch; it ends after those seconds. */
    Watch watch(String version, int seconds, String selector) throws Exception {
        String path =
                LEASES + "?watch=1&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%s&labelSelector=%s";
        HttpResponse<InputStream> response = open(path.formatted(version, seconds, selector));
        note("> WATCH " + selector);
        note("< " + response.statusCode() + " "
                + response.headers().firstValue("Content-Type").orElse("none"));
        return new Watch(new BufferedReader(new InputStreamReader(response.body(), UTF_8)));
    }

    /** An open watch. */
    final class Watch implements AutoCloseable {

        private final BufferedReader lines;

        private Watch(BufferedReader lines) {
            this.lines = lines;
        }

        /** Writes that many events down. */
        void events(int count) throws IOException {
            for (int i = 0; i < count; i++) {
                note("event " + next());
            }
        }

        /** The next event, or that there is none. */
        Object next() throws IOException {
            String line = lines.readLine();
            if (line == null) {
                return "none: the watch has ended";
            }
            JsonNode event = JSON.readTree(line);
            return event.path("type").asString() + " " + JSON.writeValueAsString(essence(event.path("object")));
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private HttpRequest request(String method, String path, String type, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.address().resolve(path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        return request.build();
    }

    /** What a store reads of it, in the order of the names. */
    private Object essence(JsonNode answer) {
        Map<String, Object> essence = new TreeMap<>();
        JsonNode metadata = answer.path("metadata");
        for (String field : new String[] {"kind", "apiVersion", "reason", "code", "message", "status"}) {
            if (answer.path(field).isValueNode()) {
                essence.put(field, named(answer.path(field).asString()));
            }
        }
        for (String field : new String[] {"name", "labels", "annotations"}) {
            if (metadata.has(field)) {
                essence.put(field, sorted(metadata.path(field)));
            }
        }
        if (metadata.has("uid")) {
            essence.put("uid", name("uid", uid(answer)));
        }
        if (answer.has("items")) {
            essence.put(
                    "items",
                    answer.path("items").valueStream().map(this::essence).toList());
            essence.put("resourceVersion", "of the list");
        } else if (metadata.has("resourceVersion")) {
            boolean isObject = metadata.has("uid");
            essence.put("resourceVersion", isObject ? name("version", version(answer)) : "of a bookmark");
        }
        if (answer.has("spec")
                && !answer.path("kind").asString("").equals("Pod")
                && !answer.path("spec").has("containers")) {
            essence.put("spec", sorted(answer.path("spec")));
        }
        return essence;
    }

    private Object sorted(JsonNode node) {
        if (node.isString()) {
            return shortened(node.asString());
        }
        if (!node.isObject()) {
            return node;
        }
        Map<String, Object> fields = new TreeMap<>();
        node.properties().forEach(field -> fields.put(field.getKey(), sorted(field.getValue())));
        return fields;
    }

    private String name(String kind, String value) {
        long known =
                names.values().stream().filter(name -> name.startsWith(kind)).count();
        return names.computeIfAbsent(value, unused -> kind + "-" + (known + 1));
    }

    /** With names instead of uids and versions. */
    private String named(String text) {
        String named = UID.matcher(text).replaceAll(match -> name("uid", match.group()));
        for (Map.Entry<String, String> version : names.entrySet()) {
            named = named.replace("(" + version.getKey() + ")", "(" + version.getValue() + ")")
                    .replace(
                            "\"resourceVersion\":\"" + version.getKey() + "\"",
                            "\"resourceVersion\":\"" + version.getValue() + "\"");
        }
        Matcher other = OTHER_VERSION.matcher(named);
        return other.replaceAll("(another version)");
    }

    private static String shortened(String text) {
        return text.length() < 1_000 ? text : text.length() + " characters";
    }
}
