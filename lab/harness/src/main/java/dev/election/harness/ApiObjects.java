package dev.election.harness;

import static dev.election.harness.ApiReply.JSON;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What an API server keeps: objects with one counter of versions, and the events of a while. An object is replaced, never changed. */
final class ApiObjects {

    private static final int LONGEST_ANNOTATIONS = 262_144;
    private static final ObjectNode NONE = JSON.createObjectNode();

    /** By resource, namespace and name. */
    private NavigableMap<String, ObjectNode> objects = new TreeMap<>();

    private long version = ThreadLocalRandom.current().nextLong(1_000, 100_000);
    private final List<Event> events = new ArrayList<>();

    /** Events up to here are forgotten. */
    private long compacted = version;

    /** Versions up to here have been told, maybe before they were given out again. */
    private long told = version;

    private Snapshot snapshot = new Snapshot(objects, version);
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private boolean silent;

    private record Snapshot(NavigableMap<String, ObjectNode> objects, long version) {}

    /** A change of one object; of those two one may be {@link #NONE}. */
    private record Event(long version, ObjectNode before, ObjectNode after) {

        @Nullable
        String line(ApiSelector selector) {
            boolean was = selector.matches(before);
            boolean is = selector.matches(after);
            if (!was && !is) {
                return null;
            }
            ObjectNode object = (is ? after : before).deepCopy();
            ((ObjectNode) object.path("metadata")).put("resourceVersion", Long.toString(version));
            return ApiObjects.line(is ? was ? "MODIFIED" : "ADDED" : "DELETED", object);
        }
    }

    /** An open watch, with what it has not sent yet. */
    record Watch(long from, ApiSelector selector, BlockingQueue<String> lines) {

        /** Instead of a line. */
        static final String END = "";

        private void tell(Event event) {
            String line = event.version() <= from ? null : event.line(selector);
            if (line != null) {
                lines.add(line);
            }
        }
    }

    synchronized ApiReply read(ApiRequest request) {
        ObjectNode object = objects.get(key(request));
        return object == null ? notFound(request) : ApiReply.of(200, object);
    }

    synchronized ApiReply list(ApiRequest request) {
        ApiSelector selector = ApiSelector.of(request);
        String folder = request.resource() + "/" + request.namespace() + "/";
        ObjectNode list = JSON.createObjectNode()
                .put("kind", request.singular() + "List")
                .put("apiVersion", request.apiVersion());
        list.putObject("metadata").put("resourceVersion", Long.toString(version));
        ArrayNode items = list.putArray("items");
        objects.subMap(folder, folder + Character.MAX_VALUE).values().stream()
                .filter(selector::matches)
                .forEach(object -> {
                    ObjectNode item = object.deepCopy();
                    item.remove(List.of("kind", "apiVersion"));
                    items.add(item);
                });
        return ApiReply.of(200, list);
    }

    synchronized Watch watch(ApiRequest request) {
        Watch watch = new Watch(
                Long.parseLong(request.query().getOrDefault("resourceVersion", "")),
                ApiSelector.of(request),
                new LinkedBlockingQueue<>());
        if (watch.from() < compacted) {
            String message = "too old resource version: " + watch.from() + " (" + (compacted + 1) + ")";
            JsonNode status =
                    JSON.readTree(ApiReply.failure(410, "Expired", message).body());
            watch.lines().addAll(List.of(line("ERROR", status), Watch.END));
        } else {
            events.forEach(watch::tell);
            watches.add(watch);
        }
        return watch;
    }

    void end(Watch watch) {
        watches.remove(watch);
    }

    int watches() {
        return watches.size();
    }

    synchronized ApiReply create(ApiRequest request, ObjectNode lease) {
        String name = lease.path("metadata").path("name").asString();
        if (!request.namespace().equals(ApiServer.NAMESPACE)) {
            ObjectNode details =
                    JSON.createObjectNode().put("name", request.namespace()).put("kind", "namespaces");
            return ApiReply.failure(404, "NotFound", "namespaces \"" + request.namespace() + "\" not found", details);
        }
        if (isTooLong(lease)) {
            return tooLong(request, name);
        }
        String key = key(request) + name;
        if (objects.containsKey(key)) {
            String message = request.qualifiedResource() + " \"" + name + "\" already exists";
            return ApiReply.failure(409, "AlreadyExists", message, ApiReply.details(request, name, request.resource()));
        }
        return ApiReply.of(201, write(key, lease));
    }

    synchronized ApiReply patch(ApiRequest request, Function<ObjectNode, @Nullable ObjectNode> patch) {
        ObjectNode object = objects.get(key(request));
        if (object == null) {
            return notFound(request);
        }
        ObjectNode patched = patch.apply(object.deepCopy());
        if (patched == null) {
            return ApiReply.failure(
                    422, "Invalid", "the server rejected our request due to an error in our request", NONE);
        }
        if (isTooLong(patched)) {
            return tooLong(request, request.name());
        }
        return ApiReply.of(200, patched.equals(object) ? object : write(key(request), patched));
    }

    synchronized ApiReply delete(ApiRequest request, JsonNode preconditions) {
        ObjectNode object = objects.get(key(request));
        if (object == null) {
            return notFound(request);
        }
        String uid = object.path("metadata").path("uid").asString();
        String conflict = conflict(
                preconditions,
                uid,
                object.path("metadata").path("resourceVersion").asString());
        if (!conflict.isEmpty()) {
            String message = "Operation cannot be fulfilled on Lease.coordination.k8s.io \"" + request.name() + "\": "
                    + conflict;
            return ApiReply.failure(409, "Conflict", message, ApiReply.details(request, request.name(), "Lease"));
        }
        delete(key(request));
        ObjectNode status = JSON.createObjectNode().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Success");
        status.set(
                "details", ApiReply.details(request, request.name(), "leases").put("uid", uid));
        return ApiReply.of(200, status);
    }

    /** Writes it as a new version, and as another object if none is there. */
    synchronized ObjectNode write(String key, ObjectNode content) {
        ObjectNode before = objects.getOrDefault(key, NONE);
        ObjectNode after = content.deepCopy();
        ObjectNode metadata = (ObjectNode) after.path("metadata");
        JsonNode old = before.path("metadata");
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        metadata.put("namespace", ApiServer.NAMESPACE);
        metadata.put("uid", old.path("uid").asString(UUID.randomUUID().toString()));
        metadata.put("resourceVersion", Long.toString(++version));
        metadata.put("creationTimestamp", old.path("creationTimestamp").asString(now));
        metadata.putArray("managedFields")
                .addObject()
                .put("manager", "strict")
                .put("time", now)
                .putObject("fieldsV1")
                .putObject("f:spec");
        objects.put(key, after);
        tell(new Event(version, before, after));
        return after;
    }

    synchronized void delete(String key) {
        ObjectNode before = objects.remove(key);
        if (before != null) {
            tell(new Event(++version, before, NONE));
        }
    }

    synchronized @Nullable ObjectNode get(String key) {
        return objects.get(key);
    }

    private void tell(Event event) {
        if (event.version() > told && !silent) {
            told = event.version();
            events.add(event);
            watches.forEach(watch -> watch.tell(event));
        }
    }

    /** Sends the present version to each watch. */
    synchronized void bookmark() {
        ObjectNode object = JSON.createObjectNode().put("kind", "Lease").put("apiVersion", "coordination.k8s.io/v1");
        object.putObject("metadata")
                .put("resourceVersion", Long.toString(version))
                .putNull("creationTimestamp");
        object.putObject("spec");
        watches.forEach(watch -> watch.lines().add(line("BOOKMARK", object)));
    }

    /** Forgets the events. */
    synchronized void compact() {
        events.clear();
        compacted = version;
    }

    /** While silent, events are lost. */
    synchronized void setSilent(boolean silent) {
        this.silent = silent;
    }

    synchronized void snapshot() {
        snapshot = new Snapshot(new TreeMap<>(objects), version);
    }

    /** Brings the snapshot back. Who watches hears nothing of it. */
    synchronized void restore() {
        objects = new TreeMap<>(snapshot.objects());
        version = snapshot.version();
    }

    /** Forgets what was told, as a restart does. */
    synchronized void restart() {
        told = version;
        compact();
    }

    private static String key(ApiRequest request) {
        return request.resource() + "/" + request.namespace() + "/" + request.name();
    }

    private static ApiReply notFound(ApiRequest request) {
        String message = request.qualifiedResource() + " \"" + request.name() + "\" not found";
        return ApiReply.failure(404, "NotFound", message, request);
    }

    private static boolean isTooLong(ObjectNode object) {
        return object.at("/metadata/annotations")
                        .propertyStream()
                        .mapToInt(one -> one.getKey().getBytes(UTF_8).length
                                + one.getValue().asString().getBytes(UTF_8).length)
                        .sum()
                > LONGEST_ANNOTATIONS;
    }

    private static ApiReply tooLong(ApiRequest request, String name) {
        String message = "Lease.coordination.k8s.io \"" + name
                + "\" is invalid: metadata.annotations: Too long: must have at most " + LONGEST_ANNOTATIONS + " bytes";
        return ApiReply.failure(422, "Invalid", message, ApiReply.details(request, name, "Lease"));
    }

    private static String conflict(JsonNode wanted, String uid, String version) {
        String wantedUid = wanted.path("uid").asString();
        String wantedVersion = wanted.path("resourceVersion").asString();
        if (!wantedUid.equals(uid)) {
            return "the UID in the precondition (" + wantedUid + ") does not match the UID in record (" + uid
                    + "). The object might have been deleted and then recreated";
        }
        if (!wantedVersion.equals(version)) {
            return "the ResourceVersion in the precondition (" + wantedVersion
                    + ") does not match the ResourceVersion in record (" + version
                    + "). The object might have been modified";
        }
        return "";
    }

    private static String line(String type, JsonNode object) {
        return JSON.createObjectNode().put("type", type).set("object", object) + "\n";
    }
}
