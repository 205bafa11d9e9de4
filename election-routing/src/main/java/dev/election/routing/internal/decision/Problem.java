package dev.election.routing.internal.decision;

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
 * @param retry advice to the client, {@code null} for none
 */
public record Problem(
        HttpStatus status,
        String outcome,
        String detail,
        String election,
        @Nullable String leader,
        @Nullable Retry retry) {

    static final String MISDIRECTED = "misdirected";

    /** Advice to send the request again. */
    public sealed interface Retry {

        /** At the same address, after that time. */
        record Later(Duration after) implements Retry {}

        /** At another address, now. */
        record Elsewhere(URI at) implements Retry {}
    }

    /** The headers of the response. */
    public HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_PROBLEM_JSON);
        headers.setContentLength(body().length);
        headers.setCacheControl("no-store");
        if (retry instanceof Retry.Later later) {
            headers.set(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, wholeSeconds(later.after()))));
        } else if (retry instanceof Retry.Elsewhere elsewhere) {
            headers.setLocation(elsewhere.at());
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
