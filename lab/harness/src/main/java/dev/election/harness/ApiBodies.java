package dev.election.harness;

import static dev.election.harness.ApiRequest.refuseUnless;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The bodies that a store may send. Each other shape is refused. */
final class ApiBodies {

    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();
    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    private static final Pattern VERSION = Pattern.compile("[1-9]\\d{0,17}");
    private static final String ANNOTATION = "/metadata/annotations/election.dev~1";
    private static final String LABEL = "/metadata/labels/election.dev~1";
    private static final String SPEC_FIELDS =
            "holderIdentity,leaseDurationSeconds,acquireTime,renewTime,leaseTransitions";

    private ApiBodies() {}

    /** Parameters of the query. */
    static void checkQuery(ApiRequest request) {
        Map<String, String> query = request.query();
        Set<String> expected =
                switch (request.verb()) {
                    case LIST, LIST_PODS -> Set.of("labelSelector");
                    case WATCH ->
                        Set.of("watch", "allowWatchBookmarks", "resourceVersion", "timeoutSeconds", "labelSelector");
                    default -> Set.of();
                };
        refuseUnless(query.keySet().equals(expected), "the parameters " + query.keySet());
        if (request.verb() == ApiVerb.WATCH) {
            refuseUnless(
                    query.get("watch").equals("1")
                            && query.get("allowWatchBookmarks").equals("true"),
                    "the watch");
            refuseUnless(VERSION.matcher(query.get("resourceVersion")).matches(), "the resourceVersion");
            refuseUnless(query.get("timeoutSeconds").matches("[1-9]\\d{0,3}"), "the timeoutSeconds");
        }
    }

    /** A Lease to be created. */
    static ObjectNode lease(ApiRequest request) {
        ObjectNode lease = object(request);
        fields(lease, "apiVersion,kind,metadata,spec", "");
        refuseUnless(lease.path("apiVersion").asString("").equals("coordination.k8s.io/v1"), "the apiVersion");
        refuseUnless(lease.path("kind").asString("").equals("Lease"), "the kind");
        JsonNode metadata = lease.path("metadata");
        fields(metadata, "name,labels,annotations", "");
        refuseUnless(metadata.path("name").isString(), "the name");
        fields(metadata.path("labels"), "election.dev/prefix", "election.dev/folder");
        fields(metadata.path("annotations"), "election.dev/key,election.dev/text,election.dev/hash", "");
        for (JsonNode text : metadata.path("annotations")) {
            refuseUnless(text.isString(), "an annotation");
        }
        refuseUnless(metadata.path("labels").valueStream().allMatch(JsonNode::isString), "a label");
        JsonNode text = metadata.path("annotations").path("election.dev/text");
        checkHash(text, metadata.path("annotations").path("election.dev/hash"));
        checkSpec(lease.path("spec"));
        return lease;
    }

    /** The operations of a JSON Patch. A merge patch is one that adds. */
    static List<JsonNode> patch(ApiRequest request) {
        if (request.type().equals("application/merge-patch+json")) {
            return List.of(mergedLabel(request));
        }
        refuseUnless(request.type().equals("application/json-patch+json"), "the Content-Type " + request.type());
        JsonNode patch = json(request);
        refuseUnless(patch.isArray(), "a patch that is no array");
        List<String> said = new ArrayList<>();
        for (JsonNode operation : patch) {
            String name = operation.path("op").asString("");
            fields(operation, name.equals("remove") ? "op,path" : "op,path,value", "");
            said.add(name + " " + operation.path("path").asString(""));
        }
        if (request.verb() == ApiVerb.PATCH_POD) {
            String label = said.size() == 2 ? patch.get(1).path("path").asString("") : "";
            refuseUnless(label.startsWith(LABEL), "the patch " + said);
            refuseUnless(
                    said.equals(List.of("test /metadata/uid", "add " + label))
                            || said.equals(List.of("test /metadata/uid", "remove " + label)),
                    "the patch " + said);
        } else {
            refuseUnless(
                    said.equals(List.of(
                            "test /metadata/uid",
                            "test " + ANNOTATION + "hash",
                            "replace " + ANNOTATION + "text",
                            "replace " + ANNOTATION + "hash",
                            "add /spec")),
                    "the patch " + said);
            checkHash(patch.get(2).path("value"), patch.get(3).path("value"));
            checkSpec(patch.get(4).path("value"));
        }
        for (JsonNode operation : patch) {
            JsonNode value = operation.path("value");
            refuseUnless(
                    value.isString()
                            || value.isMissingNode()
                            || operation.path("path").asString().equals("/spec"),
                    "a value of the patch");
        }
        return patch.valueStream().toList();
    }

    /** The preconditions of a deletion. */
    static JsonNode preconditions(ApiRequest request) {
        ObjectNode options = object(request);
        fields(options, "apiVersion,kind,preconditions", "");
        refuseUnless(options.path("apiVersion").asString("").equals("v1"), "the apiVersion");
        refuseUnless(options.path("kind").asString("").equals("DeleteOptions"), "the kind");
        JsonNode preconditions = options.path("preconditions");
        fields(preconditions, "uid,resourceVersion", "");
        refuseUnless(preconditions.valueStream().allMatch(JsonNode::isString), "the preconditions");
        return preconditions;
    }

    private static JsonNode mergedLabel(ApiRequest request) {
        refuseUnless(request.verb() == ApiVerb.PATCH_POD, "a merge patch of a Lease");
        JsonNode patch = json(request);
        fields(patch, "metadata", "");
        fields(patch.path("metadata"), "labels", "");
        JsonNode labels = patch.path("metadata").path("labels");
        refuseUnless(labels.size() == 1, "the labels");
        Map.Entry<String, JsonNode> label = labels.properties().iterator().next();
        refuseUnless(
                label.getKey().startsWith("election.dev/") && label.getValue().isString(), "the label");
        ObjectNode operation = ApiReply.JSON.createObjectNode().put("op", "add");
        operation.put("path", LABEL + label.getKey().substring("election.dev/".length()));
        operation.set("value", label.getValue());
        return operation;
    }

    private static void checkSpec(JsonNode spec) {
        fields(spec, "", SPEC_FIELDS);
        for (Map.Entry<String, JsonNode> field : spec.properties()) {
            JsonNode value = field.getValue();
            boolean fits =
                    switch (field.getKey()) {
                        case "holderIdentity" -> value.isString();
                        case "acquireTime", "renewTime" ->
                            value.isString() && TIME.matcher(value.asString()).matches();
                        default -> value.isInt();
                    };
            refuseUnless(fits, "the spec's " + field.getKey());
        }
    }

    private static void checkHash(JsonNode text, JsonNode hash) {
        refuseUnless(text.isString() && hash.isString(), "text or hash");
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.asString().getBytes(UTF_8));
            String expected = HexFormat.of().formatHex(Arrays.copyOf(digest, 16));
            refuseUnless(hash.asString().equals(expected), "the hash " + hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectNode object(ApiRequest request) {
        refuseUnless(request.type().equals("application/json"), "the Content-Type " + request.type());
        JsonNode json = json(request);
        refuseUnless(json.isObject(), "a body that is no object");
        return (ObjectNode) json;
    }

    private static JsonNode json(ApiRequest request) {
        try {
            return STRICT.readTree(request.body());
        } catch (JacksonException e) {
            throw new ApiRequest.RefusedException("Refused: the JSON, " + e.getOriginalMessage());
        }
    }

    /** Fails unless it is an object with all of the required fields and no other than the allowed ones. */
    private static void fields(JsonNode object, String required, String allowed) {
        refuseUnless(object.isObject(), "what should be an object with " + required);
        List<String> names = List.copyOf(object.propertyNames());
        List<String> needed = required.isEmpty() ? List.of() : List.of(required.split(",", -1));
        List<String> all = new ArrayList<>(needed);
        all.addAll(List.of(allowed.split(",", -1)));
        refuseUnless(names.containsAll(needed) && all.containsAll(names), "the fields " + names);
    }
}
