package dev.election.actuate;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an operator gets.
 *
 * @param status what it means, as HTTP says it
 * @param body what to show, by any technology
 */
record Answer(int status, Object body) {

    static final int OK = 200;
    static final int ACCEPTED = 202;
    static final int BAD_REQUEST = 400;
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    static final int UNAVAILABLE = 503;
    static final int GATEWAY_TIMEOUT = 504;

    static Answer error(int status, String why) {
        return new Answer(status, Map.of("error", why));
    }

    static Answer unknown(String election, Collection<String> known) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("error", "There is no election '" + election + "' here");
        body.put("elections", known);
        return new Answer(NOT_FOUND, body);
    }
}
