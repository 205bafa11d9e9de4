package dev.election.harness;

import static dev.election.harness.ApiRequest.refuseUnless;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The bodies and parameters that a store may send. Each other shape is refused. */
final class ApiBodies {

    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    // Shapes: a text is a regular expression for a text, a number stands for integers from it on, a field with ? may be
    // missing.

    private static final String SPEC =
            """
            {'holderIdentity?': '.+', 'leaseDurationSeconds?': 1, 'acquireTime?': 'TIME', 'renewTime?': 'TIME', 'leaseTransitions?': 0}"""
                    .replace("TIME", "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z");
    private static final JsonNode LEASE = shape(
            """
            {'apiVersion': 'coordination.k8s.io/v1', 'kind': 'Lease', 'spec': SPEC, 'metadata': {
              'name': 'DNS(?:[.]DNS)*', 'labels': {'election.dev/prefix': 'LABEL', 'election.dev/folder?': 'LABEL'},
              'annotations': {'election.dev/key': '.+', 'election.dev/text': '(?s).*', 'election.dev/hash': '.+'}}}"""
                    .replace("SPEC", SPEC)
                    .replace("DNS", "[a-z0-9](?:[-a-z0-9]{0,251}[a-z0-9])?")
                    .replace("LABEL", ApiSelector.VALUE));
    private static final JsonNode LEASE_PATCH = shape(
            """
            [{'op': 'test', 'path': '/metadata/uid', 'value': '.+'},
             {'op': 'test', 'path': '/metadata/annotations/election.dev~1hash', 'value': '.+'},
             {'op': 'replace', 'path': '/metadata/annotations/election.dev~1text', 'value': '(?s).*'},
             {'op': 'replace', 'path': '/metadata/annotations/election.dev~1hash', 'value': '.+'},
             {'op': 'add', 'path': '/spec', 'value': SPEC}]"""
                    .replace("SPEC", SPEC));
    private static final JsonNode POD_PATCH = shape(
            """
            [{'op': 'test', 'path': '/metadata/uid', 'value': '.+'},
             {'op': 'add|remove', 'path': '/metadata/labels/election.dev~1LABEL', 'value?': 'leader'}]"""
                    .replace("LABEL", ApiSelector.VALUE));
    private static final JsonNode DELETION = shape(
            """
            {'apiVersion': 'v1', 'kind': 'DeleteOptions', 'preconditions': {'uid': '.+', 'resourceVersion': '[0-9]+'}}""");

    private static final Map<String, String> WATCH_QUERY = Map.of(
            "watch", "1",
            "allowWatchBookmarks", "true",
            "resourceVersion", "[1-9][0-9]{0,17}",
            "timeoutSeconds", "[1-9][0-9]{0,3}",
            "labelSelector", ".+");

    private ApiBodies() {}

    static void checkQuery(ApiRequest request) {
        Map<String, String> query = request.query();
        Map<String, String> expected =
                switch (request.verb()) {
                    case LIST -> Map.of(query.containsKey("fieldSelector") ? "fieldSelector" : "labelSelector", ".+");
                    case LIST_PODS -> Map.of("labelSelector", ".+");
                    case WATCH -> WATCH_QUERY;
                    default -> Map.of();
                };
        refuseUnless(
                query.keySet().equals(expected.keySet())
                        && query.entrySet().stream()
                                .allMatch(one -> one.getValue().matches(expected.getOrDefault(one.getKey(), ""))),
                "the parameters " + query);
    }

    /** A Lease to be created. */
    static ObjectNode lease(ApiRequest request) {
        JsonNode lease = body(request, "application/json", LEASE);
        refuseUnless(lease.at("/metadata/name").asString().length() <= 253, "the name");
        checkHash(
                lease.at("/metadata/annotations/election.dev~1text"),
                lease.at("/metadata/annotations/election.dev~1hash"));
        return (ObjectNode) lease;
    }

    /** The operations of a JSON Patch. A merge patch is one that adds, and removes for null. */
    static List<JsonNode> patch(ApiRequest request) {
        if (request.verb() == ApiVerb.PATCH) {
            JsonNode patch = body(request, "application/json-patch+json", LEASE_PATCH);
            checkHash(patch.at("/2/value"), patch.at("/3/value"));
            return patch.valueStream().toList();
        }
        if (request.type().equals("application/merge-patch+json")) {
            return List.of(mergedLabel(request));
        }
        JsonNode patch = body(request, "application/json-patch+json", POD_PATCH);
        refuseUnless(patch.at("/1/op").asString().equals("add") == patch.get(1).has("value"), "the value");
        return patch.valueStream().toList();
    }

    /** The preconditions of a deletion. */
    static JsonNode preconditions(ApiRequest request) {
        return body(request, "application/json", DELETION).path("preconditions");
    }

    private static JsonNode mergedLabel(ApiRequest request) {
        JsonNode patch = json(request);
        String label = patch.at("/metadata/labels").propertyNames().stream()
                .findFirst()
                .orElse("");
        refuseUnless(label.matches("election[.]dev/" + ApiSelector.VALUE), "the label " + label);
        String value = patch.at("/metadata/labels").path(label).isNull() ? "null" : "'leader'";
        JsonNode shape = shape("{'metadata': {'labels': {'" + label + "': " + value + "}}}");
        refuseUnless(fits(shape, patch), "the merge patch");
        String path = "/metadata/labels/" + label.replace("/", "~1");
        return shape("{'op': 'add', 'path': '" + path + "', 'value': " + value + "}");
    }

    private static void checkHash(JsonNode text, JsonNode hash) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.asString().getBytes(UTF_8));
            String expected = HexFormat.of().formatHex(Arrays.copyOf(digest, 16));
            refuseUnless(hash.asString().equals(expected), "the hash " + hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JsonNode shape(String json) {
        return ApiReply.JSON.readTree(json.replace('\'', '"'));
    }

    private static JsonNode body(ApiRequest request, String type, JsonNode shape) {
        refuseUnless(request.type().equals(type), "the Content-Type " + request.type());
        JsonNode json = json(request);
        refuseUnless(fits(shape, json), "the body " + json);
        return json;
    }

    private static JsonNode json(ApiRequest request) {
        try {
            return STRICT.readTree(request.body());
        } catch (JacksonException e) {
            throw new ApiRequest.RefusedException("Refused: the JSON, " + e.getOriginalMessage());
        }
    }

    private static boolean fits(JsonNode shape, JsonNode json) {
        if (shape.isString()) {
            return json.isString() && json.asString().matches(shape.asString());
        }
        if (shape.isNull()) {
            return json.isNull();
        }
        if (shape.isInt()) {
            return json.isInt() && json.asInt() >= shape.asInt();
        }
        if (shape.isArray()) {
            return json.isArray()
                    && json.size() == shape.size()
                    && IntStream.range(0, shape.size()).allMatch(i -> fits(shape.get(i), json.get(i)));
        }
        return json.isObject()
                && json.propertyNames().stream().allMatch(name -> shape.has(name) || shape.has(name + "?"))
                && shape.propertyStream().allMatch(field -> {
                    String name = field.getKey().replace("?", "");
                    return json.has(name)
                            ? fits(field.getValue(), json.get(name))
                            : field.getKey().endsWith("?");
                });
    }
}
