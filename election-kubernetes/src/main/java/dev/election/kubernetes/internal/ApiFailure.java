package dev.election.kubernetes.internal;

import dev.election.StoreProblem;
import dev.election.http.HttpReply;
import dev.election.http.Json;
import dev.election.store.NoAnswer;
import dev.election.support.OneLine;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.FileSystemException;
import java.util.Map;
import javax.net.ssl.SSLException;

/** A request that the API server did not carry out, or whose outcome is unknown, with the answer to whoever has asked. */
final class ApiFailure extends IOException {

    private static final long serialVersionUID = 1L;

    private static final int LONGEST = 300;

    private final transient NoAnswer answer;

    ApiFailure(StoreProblem problem, String detail, String action) {
        this(new NoAnswer(problem, detail, action));
    }

    private ApiFailure(NoAnswer answer) {
        super(answer.detail());
        this.answer = answer;
    }

    /** Returns the failure of a reply that is none of the expected ones. */
    static ApiFailure of(HttpReply reply, String request) {
        String message = reply.status() + " to " + request + ": " + message(reply);
        return new ApiFailure(
                switch (reply.status()) {
                    case 401 ->
                        new NoAnswer(
                                StoreProblem.UNAUTHENTICATED,
                                message,
                                "the API server refuses the credentials: check the service account, or the token of the"
                                        + " kubeconfig");
                    case 403 -> forbidden(reply, message);
                    case 404 ->
                        new NoAnswer(
                                StoreProblem.UNKNOWN,
                                message,
                                "the API server has no such namespace, or no Leases (coordination.k8s.io/v1): check the"
                                        + " namespace and the address of the API server");
                    case 422 -> invalid(message);
                    case 429 ->
                        new NoAnswer(
                                StoreProblem.BUSY,
                                message + (reply.retryAfter() == null ? "" : ", Retry-After " + reply.retryAfter()),
                                "the API server limits requests: check its load, and the flow schema that these requests"
                                        + " fall under");
                    default ->
                        reply.status() < 500
                                ? new NoAnswer(StoreProblem.UNKNOWN, message)
                                : new NoAnswer(
                                        StoreProblem.UNREACHABLE,
                                        message,
                                        "the API server can't answer: check it, its etcd and what is in between");
                });
    }

    private static NoAnswer forbidden(HttpReply reply, String message) {
        return reply.body().contains("being terminated")
                ? new NoAnswer(
                        StoreProblem.FORBIDDEN,
                        message,
                        "the namespace is being deleted: no election can be held in it")
                : new NoAnswer(
                        StoreProblem.FORBIDDEN,
                        message,
                        "the service account lacks a permission: apply the Role and the RoleBinding for Leases (get, list,"
                                + " watch, create, patch, delete)");
    }

    private static NoAnswer invalid(String message) {
        return message.contains("Too long") || message.contains("too large")
                ? new NoAnswer(StoreProblem.TOO_LARGE, message)
                : new NoAnswer(StoreProblem.UNKNOWN, message);
    }

    /** Returns the message of a reply with a Status, or its beginning. */
    private static String message(HttpReply reply) {
        String message = Json.text(status(reply), "message");
        return OneLine.shown(message.isEmpty() ? reply.body() : message, LONGEST);
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
        if (failure instanceof ApiFailure known) {
            return known.answer;
        }
        String message = OneLine.shown(String.valueOf(failure.getMessage()), LONGEST);
        if (failure instanceof SocketTimeoutException) {
            return new NoAnswer(
                    StoreProblem.TIMED_OUT,
                    message,
                    "the API server does not answer in time: check its load, its etcd and the network");
        }
        if (failure instanceof FileSystemException) {
            return new NoAnswer(
                    StoreProblem.UNAUTHENTICATED,
                    failure.getClass().getSimpleName() + ": " + message,
                    "the credentials can't be read: let the pod mount its service account (automountServiceAccountToken), or"
                            + " mend the kubeconfig");
        }
        if (failure instanceof SSLException) {
            return new NoAnswer(
                    StoreProblem.UNREACHABLE,
                    message,
                    "the certificate of the API server is not trusted, or names another host: check the address and the CA");
        }
        return failure instanceof IOException
                ? new NoAnswer(
                        StoreProblem.UNREACHABLE,
                        failure.getClass().getSimpleName() + ": " + message,
                        "the API server can't be reached: check its address and the network policy")
                : new NoAnswer(StoreProblem.UNKNOWN, failure.toString());
    }
}
