package dev.election.routing.internal;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * A response of the router itself, as a problem document.
 *
 * @param status of the response
 * @param outcome a word for metrics
 * @param detail a sentence. It contains no text of a request
 * @param election the name of the election
 * @param leader the node id of the leader, {@code null} if none is known
 * @param retryAfter when to try again, {@code null} for no advice
 * @param location where to send the request instead, {@code null} for nowhere
 */
public record Problem(
        HttpStatus status,
        String outcome,
        String detail,
        String election,
        @Nullable String leader,
        @Nullable Duration retryAfter,
        @Nullable URI location) {

    static final String MISDIRECTED = "misdirected";

    Problem(
            HttpStatus status,
            String outcome,
            String detail,
            String election,
            @Nullable String leader,
            @Nullable Duration retryAfter) {
        this(status, outcome, detail, election, leader, retryAfter, null);
    }

    /** The headers of the response. */
    public HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        headers.setContentLength(body().length);
        headers.setCacheControl("no-store");
        if (retryAfter != null) {
            headers.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, wholeSeconds(retryAfter))));
        }
        if (location != null) {
            headers.setLocation(location);
        }
        if (outcome.equals(MISDIRECTED)) {
            headers.set(Hop.REFUSED, election);
        }
        return headers;
    }

    /** The body of the response. All its texts are sentences of this module, names of elections and ids of nodes: none needs escaping. */
    public byte[] body() {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("title", status.getReasonPhrase());
        parts.put("detail", detail);
        parts.put("election", election);
        if (leader != null) {
            parts.put("leader", leader);
        }
        return parts.entrySet().stream()
                .map(part -> "\"" + part.getKey() + "\":\"" + part.getValue() + "\"")
                .collect(Collectors.joining(",", "{\"status\":" + status.value() + ",", "}"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static long wholeSeconds(Duration time) {
        return time.plusSeconds(1).minusNanos(1).toSeconds();
    }
}
