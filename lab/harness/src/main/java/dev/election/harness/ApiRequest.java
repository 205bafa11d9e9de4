package dev.election.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request of those that the store sends, and of no other shape.
 *
 * @param name empty if it is about several objects
 */
record ApiRequest(
        ApiVerb verb,
        String namespace,
        String name,
        Map<String, String> query,
        String token,
        String type,
        String body) {

    /** A request that a store should not send. */
    static final class RefusedException extends RuntimeException {
        RefusedException(String message) {
            super(message);
        }
    }

    private static final Pattern PATH = Pattern.compile(
            "/(?:apis/coordination\\.k8s\\.io/v1/namespaces/([^/?]+)/leases|api/v1/namespaces/([^/?]+)/pods)(?:/([^/?]+))?(?:\\?(.*))?");
    private static final Set<String> HEADERS =
            Set.of("host", "authorization", "content-type", "content-length", "user-agent", "accept", "connection");
    private static final int LARGEST = 3 * 1024 * 1024;

    /** Reads one, all of it, before it looks at it: what follows is the next one. */
    static Raw read(InputStream in) throws IOException {
        String first = line(in);
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        byte[] body = in.readNBytes(Math.min(length, LARGEST));
        if (body.length < length) {
            throw new EOFException("Closed within a request, or larger than " + LARGEST);
        }
        return new Raw(first, headers, new String(body, UTF_8));
    }

    /** A request of HTTP. */
    record Raw(String first, Map<String, String> headers, String body) {

        ApiRequest parsed(String host) {
            String[] words = first.split(" ", -1);
            refuseUnless(words.length == 3 && words[2].equals("HTTP/1.1"), first);
            Matcher path = PATH.matcher(words[1]);
            refuseUnless(path.matches(), "the path " + words[1]);
            boolean pods = path.group(1) == null;
            String name = path.group(3) == null ? "" : path.group(3);
            Map<String, String> query = query(path.group(4) == null ? "" : path.group(4));
            refuseUnless(HEADERS.containsAll(headers.keySet()), "one of the headers " + headers.keySet());
            refuseUnless(host.equals(headers.get("host")), "the host " + headers.get("host"));
            refuseUnless(headers.getOrDefault("connection", "keep-alive").equalsIgnoreCase("keep-alive"), "Connection");
            refuseUnless(headers.getOrDefault("accept", "application/json").equals("application/json"), "Accept");
            String token = headers.getOrDefault("authorization", "");
            refuseUnless(token.isEmpty() || token.startsWith("Bearer "), "the Authorization");
            String namespace = path.group(pods ? 2 : 1);
            String type = headers.getOrDefault("content-type", "");
            ApiVerb verb = verb(words[0], pods, !name.isEmpty(), query.containsKey("watch"));
            String bearer = token.isEmpty() ? "" : token.substring("Bearer ".length());
            return new ApiRequest(verb, namespace, name, query, bearer, type, body);
        }
    }

    /** The plural of the resource. */
    String resource() {
        return verb.isAboutPods() ? "pods" : "leases";
    }

    String group() {
        return verb.isAboutPods() ? "" : "coordination.k8s.io";
    }

    /** As messages name the resource. */
    String qualifiedResource() {
        return verb.isAboutPods() ? "pods" : "leases.coordination.k8s.io";
    }

    /** As {@code kind} names the resource. */
    String singular() {
        return verb.isAboutPods() ? "Pod" : "Lease";
    }

    String apiVersion() {
        return verb.isAboutPods() ? "v1" : "coordination.k8s.io/v1";
    }

    /** Fails if that is not so. */
    static void refuseUnless(boolean condition, String what) {
        if (!condition) {
            throw new RefusedException("Refused: " + what);
        }
    }

    private static ApiVerb verb(String method, boolean pods, boolean one, boolean watch) {
        String what = method + (one ? " one" : " several") + (pods ? " pods" : "") + (watch ? " watch" : "");
        return switch (what) {
            case "GET one" -> ApiVerb.READ;
            case "GET several" -> ApiVerb.LIST;
            case "GET several watch" -> ApiVerb.WATCH;
            case "POST several" -> ApiVerb.CREATE;
            case "PATCH one" -> ApiVerb.PATCH;
            case "DELETE one" -> ApiVerb.DELETE;
            case "GET several pods" -> ApiVerb.LIST_PODS;
            case "PATCH one pods" -> ApiVerb.PATCH_POD;
            default -> throw new RefusedException("Refused: " + what);
        };
    }

    private static Map<String, String> query(String text) {
        Map<String, String> query = new HashMap<>();
        for (String part : text.isEmpty() ? List.<String>of() : List.of(text.split("&", -1))) {
            int equals = part.indexOf('=');
            refuseUnless(equals > 0, "the query " + text);
            String name = part.substring(0, equals);
            refuseUnless(
                    query.put(name, URLDecoder.decode(part.substring(equals + 1), UTF_8)) == null, name + " twice");
        }
        return query;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }
}
