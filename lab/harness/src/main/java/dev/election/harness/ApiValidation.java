package dev.election.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The limits of Kubernetes that a store may exceed. */
final class ApiValidation {

    private static final int ANNOTATIONS = 262_144;
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private ApiValidation() {}

    /** Null if it is valid. */
    static @Nullable ApiReply invalid(ApiRequest request, ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        String name = metadata.path("name").asString();
        if (name.length() > 253) {
            return invalid(
                    request,
                    name,
                    "metadata.name: Invalid value: \"" + name + "\": must be no more than 253 characters");
        }
        if (!NAME.matcher(name).matches()) {
            return invalid(
                    request,
                    name,
                    "metadata.name: Invalid value: \"" + name
                            + "\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must"
                            + " start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '"
                            + NAME + "')");
        }
        for (JsonNode label : metadata.path("labels")) {
            String value = label.asString();
            if (value.length() > 63) {
                return invalid(
                        request,
                        name,
                        "metadata.labels: Invalid value: \"" + value + "\": must be no more than 63 characters");
            }
            if (!value.isEmpty() && !ApiSelector.LABEL.matcher(value).matches()) {
                return invalid(
                        request,
                        name,
                        "metadata.labels: Invalid value: \"" + value
                                + "\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                                + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for"
                                + " validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
            }
        }
        int bytes = 0;
        for (Map.Entry<String, JsonNode> annotation :
                metadata.path("annotations").properties()) {
            bytes += annotation.getKey().getBytes(UTF_8).length
                    + annotation.getValue().asString().getBytes(UTF_8).length;
        }
        if (bytes > ANNOTATIONS) {
            return invalid(
                    request, name, "metadata.annotations: Too long: must have at most " + ANNOTATIONS + " bytes");
        }
        int duration = object.path("spec").path("leaseDurationSeconds").asInt(1);
        if (duration <= 0) {
            return invalid(
                    request,
                    name,
                    "spec.leaseDurationSeconds: Invalid value: " + duration + ": must be greater than 0");
        }
        int transitions = object.path("spec").path("leaseTransitions").asInt(0);
        if (transitions < 0) {
            return invalid(
                    request,
                    name,
                    "spec.leaseTransitions: Invalid value: " + transitions + ": must to greater or equal than 0");
        }
        return null;
    }

    /** Details of a Status. */
    static ObjectNode details(ApiRequest request, String name, String kind) {
        ObjectNode details = ApiReply.JSON.createObjectNode();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!request.group().isEmpty()) {
            details.put("group", request.group());
        }
        return details.put("kind", kind);
    }

    private static ApiReply invalid(ApiRequest request, String name, String why) {
        String kind = request.singular() + (request.group().isEmpty() ? "" : "." + request.group());
        String message = kind + " \"" + name + "\" is invalid: " + why;
        return ApiReply.failure(422, "Invalid", message, details(request, name, request.singular()));
    }
}
