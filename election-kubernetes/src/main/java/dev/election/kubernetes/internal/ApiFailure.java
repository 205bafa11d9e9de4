package dev.election.kubernetes.internal;

import dev.election.StoreProblem;
import dev.election.http.HttpFailure;
import dev.election.http.HttpReply;
import dev.election.http.Json;
import dev.election.store.NoAnswer;
import java.nio.file.FileSystemException;
import java.util.Map;

/** The failures of requests to the API server, each with what to do. */
final class ApiFailure {

    private ApiFailure() {}

    /** Returns the failure of a reply that is none of the expected ones. */
    static HttpFailure of(HttpReply reply, String request) {
        String later = reply.retryAfter() == null ? "" : ", Retry-After " + reply.retryAfter();
        String message = reply.status() + " to " + request + ": " + message(reply) + later;
        StoreProblem problem = problem(reply.status(), message);
        return new HttpFailure(new NoAnswer(problem, message, action(reply, problem)));
    }

    private static StoreProblem problem(int status, String message) {
        return switch (status) {
            case 401 -> StoreProblem.UNAUTHENTICATED;
            case 403 -> StoreProblem.FORBIDDEN;
            case 409, 429 -> StoreProblem.BUSY;
            case 422 ->
                message.contains("Too long") || message.contains("too large")
                        ? StoreProblem.TOO_LARGE
                        : StoreProblem.UNKNOWN;
            default -> status < 500 ? StoreProblem.UNKNOWN : StoreProblem.UNREACHABLE;
        };
    }

    private static String action(HttpReply reply, StoreProblem problem) {
        return switch (reply.status()) {
            case 401 ->
                "the API server refuses the credentials: check the service account, or the token of the kubeconfig";
            case 403 ->
                reply.body().contains("being terminated")
                        ? "the namespace is being deleted: no election can be held in it"
                        : "the service account lacks a permission: apply the Role and the RoleBinding for Leases (get, list,"
                                + " watch, create, patch, delete)";
            case 404 ->
                "the API server has no such namespace, or no Leases (coordination.k8s.io/v1): check the namespace and the"
                        + " address of the API server";
            case 409 -> "others write the Lease at the same time: find out who, in its managedFields";
            case 429 ->
                "the API server limits requests: check its load, and the flow schema that these requests fall under";
            default ->
                reply.status() < 500
                        ? problem.action()
                        : "the API server can't answer: check it, its etcd and what is in between";
        };
    }

    /** Returns the message of a reply with a Status, or its beginning. */
    private static String message(HttpReply reply) {
        String message = Json.text(status(reply), "message");
        return HttpFailure.shown(message.isEmpty() ? reply.body() : message);
    }

    /** Returns the Status in a reply, empty if it is something else. */
    static Map<String, Object> status(HttpReply reply) {
        try {
            return Json.object(reply.body());
        } catch (IllegalArgumentException another) {
            return Map.of();
        }
    }

    /** Returns the answer to a request that has failed. */
    static NoAnswer answer(Throwable failure) {
        return failure instanceof FileSystemException
                ? new NoAnswer(
                        StoreProblem.UNAUTHENTICATED,
                        failure.getClass().getSimpleName() + ": "
                                + HttpFailure.shown(String.valueOf(failure.getMessage())),
                        "the credentials can't be read: let the pod mount its service account"
                                + " (automountServiceAccountToken), or mend the kubeconfig")
                : HttpFailure.answer(failure, "the API server");
    }
}
