package dev.election.harness;

import java.time.Duration;
import java.util.Map;

/** What a {@link StrictApiServer} does to a request on demand. */
public sealed interface ApiFault {

    /** Answers so, and does nothing. */
    record Answer(int status, String type, Map<String, String> headers, String body) implements ApiFault {}

    /** Answers 403 as for a user without the right, and does nothing. */
    record Forbidden() implements ApiFault {}

    /** Answers 403 as if the namespace were being deleted, and does nothing. */
    record Terminating() implements ApiFault {}

    /** Closes the connection, and does nothing. */
    record Loss() implements ApiFault {}

    /** Does what is asked, and closes the connection after so many bytes of the reply, its head included. */
    record Cut(long bytes) implements ApiFault {}

    /** Does what is asked, and sends nothing any more after so many bytes of the reply, its head included. */
    record Hang(long bytes) implements ApiFault {}

    /** Does what is asked after that time. */
    record Delay(Duration time) implements ApiFault {}

    /** Does what is asked, and closes the connection after the reply, which says so. */
    record LastReply() implements ApiFault {}

    /** 429 as of an overloaded server. */
    static ApiFault tooManyRequests(Duration retryAfter) {
        String seconds = Long.toString(retryAfter.toSeconds());
        ApiReply reply = ApiReply.text(429, "Too many requests, please try again later.");
        return new Answer(reply.status(), reply.type(), Map.of("Retry-After", seconds), reply.body());
    }

    /** 401 as for a token that has expired. */
    static ApiFault unauthorized() {
        return answer(ApiReply.unauthorized());
    }

    /** 500 as of a server whose etcd does not answer. */
    static ApiFault noEtcd() {
        return failure(500, "InternalError", "etcdserver: request timed out");
    }

    /** 504 as of a server that took too long: the outcome is unknown. */
    static ApiFault timeout() {
        return failure(504, "Timeout", "Timeout: request did not complete within requested timeout 34s");
    }

    /** 503 as of a server that starts. */
    static ApiFault unavailable() {
        return failure(503, "ServiceUnavailable", "the server is currently unable to handle the request");
    }

    /** 404 as of a server without that API. */
    static ApiFault noSuchApi() {
        return answer(ApiReply.text(404, "404 page not found"));
    }

    /** A Status. */
    static ApiFault failure(int code, String reason, String message) {
        return answer(ApiReply.failure(code, reason, message));
    }

    private static ApiFault answer(ApiReply reply) {
        return new Answer(reply.status(), reply.type(), reply.headers(), reply.body());
    }
}
