package dev.election.harness;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Answers of a strict API server: who asks, whether that is allowed, and what comes of it. */
final class ApiAnswers {

    private final ApiObjects objects;

    /** Users by their tokens. */
    private final Map<String, String> tokens =
            new ConcurrentHashMap<>(Map.of(ApiServer.ADMIN, ApiServer.ADMIN, ApiServer.NOBODY, ApiServer.NOBODY));

    ApiAnswers(ApiObjects objects) {
        this.objects = objects;
    }

    void rotate(String token) {
        tokens.values().remove(ApiServer.ADMIN);
        tokens.put(token, ApiServer.ADMIN);
    }

    /** Why it is not answered, or null. */
    @Nullable
    ApiReply refusal(ApiRequest request, @Nullable Principal certificate) {
        String withoutToken = certificate == null ? "system:anonymous" : ApiServer.ADMIN;
        String user = request.token().isEmpty() ? withoutToken : tokens.get(request.token());
        if (user == null) {
            return ApiReply.unauthorized();
        }
        return user.equals(ApiServer.ADMIN) ? null : forbidden(request, user);
    }

    /** What comes of it; not of a watch. */
    ApiReply answer(ApiRequest request) {
        return switch (request.verb()) {
            case READ -> objects.read(request);
            case LIST, LIST_PODS -> objects.list(request);
            case CREATE -> objects.create(request, ApiBodies.lease(request));
            case PATCH, PATCH_POD -> {
                List<JsonNode> operations = ApiBodies.patch(request);
                yield objects.patch(request, object -> patched(object, operations));
            }
            case DELETE -> objects.delete(request, ApiBodies.preconditions(request));
            case WATCH -> throw new IllegalArgumentException("A watch has no end");
        };
    }

    static ApiReply forbidden(ApiRequest request, String user) {
        return refused(
                request,
                "User \"" + user + "\" cannot " + request.verb().right() + " resource \"" + request.resource()
                        + "\" in API group \"" + request.group() + "\" in the namespace \"" + request.namespace()
                        + "\"");
    }

    static ApiReply terminating(ApiRequest request) {
        return refused(
                request,
                "unable to create new content in namespace " + request.namespace() + " because it is being terminated");
    }

    private static ApiReply refused(ApiRequest request, String why) {
        String name = request.name().isEmpty() ? "" : " \"" + request.name() + "\"";
        String message = request.qualifiedResource() + name + " is forbidden: " + why;
        return ApiReply.failure(403, "Forbidden", message, request);
    }

    /** Null if an operation fails. */
    private static @Nullable ObjectNode patched(ObjectNode object, List<JsonNode> operations) {
        for (JsonNode operation : operations) {
            JsonPointer path = JsonPointer.compile(operation.path("path").asString());
            String field = path.last().getMatchingProperty();
            JsonNode old = object.at(path);
            JsonNode value = operation.path("value");
            boolean done =
                    switch (operation.path("op").asString()) {
                        case "test" -> old.equals(value);
                        case "replace" -> !old.isMissingNode() && set(object.at(path.head()), field, value);
                        case "remove" ->
                            object.at(path.head()) instanceof ObjectNode parent && parent.remove(field) != null;
                        // A merge adds the labels, too, if there are none.
                        default ->
                            operations.size() == 1
                                    ? set(object.withObject(path.head()), field, value)
                                    : set(object.at(path.head()), field, value);
                    };
            if (!done) {
                return null;
            }
        }
        if (object.at("/metadata/labels").isEmpty()) {
            ((ObjectNode) object.path("metadata")).remove("labels");
        }
        return object;
    }

    private static boolean set(JsonNode parent, String field, JsonNode value) {
        if (parent instanceof ObjectNode object) {
            if (value.isNull()) {
                object.remove(field);
            } else {
                object.set(field, value);
            }
            return true;
        }
        return false;
    }
}
