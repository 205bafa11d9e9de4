package dev.election.harness;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A reply as the Kubernetes API gives it. */
record ApiReply(int status, String type, Map<String, String> headers, String body) {

    static final JsonMapper JSON = new JsonMapper();

    static ApiReply of(int status, JsonNode body) {
        return new ApiReply(status, "application/json", Map.of(), JSON.writeValueAsString(body));
    }

    static ApiReply text(int status, String text) {
        return new ApiReply(status, "text/plain; charset=utf-8", Map.of(), text + "\n");
    }

    static ApiReply failure(int code, String reason, String message, ObjectNode details) {
        return of(code, status(code, reason, message, details));
    }

    /** Without details. */
    static ApiReply failure(int code, String reason, String message) {
        ObjectNode status = status(code, reason, message, JSON.createObjectNode());
        status.remove("details");
        return of(code, status);
    }

    /** A failure about what a request names. */
    static ApiReply failure(int code, String reason, String message, ApiRequest request) {
        return failure(code, reason, message, details(request, request.name(), request.resource()));
    }

    /** Details of a Status. */
    static ObjectNode details(ApiRequest request, String name, String kind) {
        ObjectNode details = JSON.createObjectNode();
        if (!name.isEmpty()) {
            details.put("name", name);
        }
        if (!request.group().isEmpty()) {
            details.put("group", request.group());
        }
        return details.put("kind", kind);
    }

    static ApiReply unauthorized() {
        return failure(401, "Unauthorized", "Unauthorized");
    }

    private static ObjectNode status(int code, String reason, String message, ObjectNode details) {
        ObjectNode status = JSON.createObjectNode().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        status.put("status", "Failure").put("message", message).put("reason", reason);
        status.set("details", details);
        return status.put("code", code);
    }
}
