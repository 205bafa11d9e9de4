package dev.election.autoconfigure.internal.actuate;

import dev.election.spring.lifecycle.PendingStart;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The response of an endpoint operation.
 *
 * @param status the HTTP status
 * @param body the response body, for HTTP and JMX; an {@link OperationResponseBody}, so that the JSON settings of the application do not
 *     apply. Those of the actuator omit null values, unless a view says otherwise.
 */
record Answer(int status, Object body) {

    static final int OK = 200;
    static final int ACCEPTED = 202;
    static final int BAD_REQUEST = 400;
    static final int NOT_FOUND = 404;
    static final int METHOD_NOT_ALLOWED = 405;
    static final int CONFLICT = 409;
    static final int NOT_IMPLEMENTED = 501;
    static final int UNAVAILABLE = 503;
    static final int GATEWAY_TIMEOUT = 504;

    static Answer error(int status, String why) {
        return new Answer(status, OperationResponseBody.of(Map.of("error", why)));
    }

    /** The election is unknown: this node does not take part in it, or not yet. */
    static Answer unknown(String election, Collection<String> known, Optional<PendingStart> start) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", "This node takes part in no election '" + election + "'");
        body.put("elections", known);
        start.ifPresent(pending -> body.put("notYetCandidate", pending));
        return new Answer(NOT_FOUND, OperationResponseBody.of(body));
    }
}
