package dev.election.actuate;

import dev.election.watch.NotYetCandidate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What an operator gets.
 *
 * @param status what it means, as HTTP says it
 * @param body what to show, by any technology; an {@link OperationResponseBody}, so that the application's way of writing JSON
 *     does not matter. The actuator's own leaves out what is null, unless a view says otherwise.
 */
record Answer(int status, Object body) {

    static final int OK = 200;
    static final int ACCEPTED = 202;
    static final int BAD_REQUEST = 400;
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    static final int NOT_IMPLEMENTED = 501;
    static final int UNAVAILABLE = 503;
    static final int GATEWAY_TIMEOUT = 504;

    static Answer error(int status, String why) {
        return new Answer(status, OperationResponseBody.of(Map.of("error", why)));
    }

    /** Elections are known when this node takes part. */
    static Answer unknown(String election, Collection<String> known, Optional<NotYetCandidate> start) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", "There is no election '" + election + "' here");
        body.put("elections", known);
        start.ifPresent(pending -> body.put("notYetCandidate", pending));
        return new Answer(NOT_FOUND, OperationResponseBody.of(body));
    }
}
