package dev.election.etcd.internal;

import dev.election.StoreProblem;
import dev.election.http.HttpFailure;
import dev.election.http.Json;
import dev.election.store.NoAnswer;
import java.util.Map;

/** The failures of requests to etcd, each with what to do. */
final class EtcdFailure {

    private EtcdFailure() {}

    /**
     * Returns the failure of a reply that is none of the expected ones.
     *
     * @param request the path of the request
     * @param keys the keys of the elections, for a permission that lacks
     */
    static HttpFailure of(int status, String body, String request, EtcdKeys keys) {
        String message = message(body);
        String detail = status + " to " + request + ": " + HttpFailure.shown(message);
        return new HttpFailure(answer(status, message, detail, keys));
    }

    private static NoAnswer answer(int status, String message, String detail, EtcdKeys keys) {
        if (message.contains("permission denied")) {
            return new NoAnswer(
                    StoreProblem.FORBIDDEN,
                    detail,
                    "the user lacks a right: etcdctl role grant-permission <role> readwrite --prefix=true "
                            + keys.prefix() + "/");
        }
        if (message.contains("user name is empty")) {
            return new NoAnswer(
                    StoreProblem.UNAUTHENTICATED, detail, "etcd asks for a user: set a user name and a password");
        }
        if (status == 401
                || message.contains("invalid user ID or password")
                || message.contains("invalid auth token")) {
            return new NoAnswer(
                    StoreProblem.UNAUTHENTICATED, detail, "etcd refuses the user: check its name and its password");
        }
        if (message.contains("database space exceeded")) {
            return new NoAnswer(
                    StoreProblem.CANNOT_PERSIST,
                    detail,
                    "the database of etcd has reached its quota, so it takes no writes: etcdctl compact, etcdctl defrag on each"
                            + " member, and then etcdctl alarm disarm");
        }
        if (message.contains("too large") || message.contains("larger than max")) {
            return new NoAnswer(StoreProblem.TOO_LARGE, detail);
        }
        if (message.contains("too many requests")) {
            return new NoAnswer(
                    StoreProblem.BUSY,
                    detail,
                    "etcd applies requests more slowly than they come: check its disk and its load");
        }
        if (message.contains("no leader")
                || message.contains("leader changed")
                || message.contains("request timed out")) {
            return new NoAnswer(
                    StoreProblem.CLUSTER_DOWN,
                    detail,
                    "etcd has no leader: check that most of its members run, and reach each other");
        }
        if (status == 404) {
            return new NoAnswer(
                    StoreProblem.UNKNOWN,
                    detail,
                    "this address has no JSON gateway of etcd 3.4 or later: start etcd without --enable-grpc-gateway=false, and"
                            + " check the address");
        }
        return status < 500
                ? new NoAnswer(StoreProblem.UNKNOWN, detail)
                : new NoAnswer(
                        StoreProblem.UNREACHABLE,
                        detail,
                        "etcd can't answer: check its members and what is in between");
    }

    /** Returns the message of a reply with an error, or its beginning. */
    private static String message(String body) {
        try {
            Map<String, Object> reply = Json.object(body);
            String message = Json.text(reply, "message") + Json.text(Json.at(reply, "error"), "message");
            return message.isEmpty() ? body : message;
        } catch (IllegalArgumentException another) {
            return body;
        }
    }

    /** Whether the member can't serve anybody at present, and another one may. */
    static boolean isOfMember(NoAnswer answer) {
        return answer.problem() == StoreProblem.CLUSTER_DOWN || answer.problem() == StoreProblem.UNREACHABLE;
    }

    /** Returns the answer to a request that has failed. */
    static NoAnswer answer(Throwable failure) {
        return HttpFailure.answer(failure, "etcd");
    }
}
