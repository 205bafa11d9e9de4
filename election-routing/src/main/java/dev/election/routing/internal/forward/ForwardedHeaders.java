package dev.election.routing.internal.forward;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.util.StringUtils;

/** The headers of a forwarded request and of its response. */
final class ForwardedHeaders {

    /** Headers that concern one connection only. {@code Expect} has been answered by this server. */
    private static final Set<String> OF_ONE_CONNECTION = Set.of(
            "connection",
            "keep-alive",
            "proxy-connection",
            "proxy-authenticate",
            "proxy-authorization",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "http2-settings",
            "expect");

    private static final List<String> FORWARDED = List.of(
            "Forwarded",
            "X-Forwarded-For",
            "X-Forwarded-Host",
            "X-Forwarded-Port",
            "X-Forwarded-Proto",
            "X-Forwarded-Prefix",
            "X-Forwarded-Ssl");

    private ForwardedHeaders() {}

    /** Adds those that may pass on. */
    static void pass(HttpHeaders from, HttpHeaders to) {
        Set<String> dropped = new TreeSet<>(OF_ONE_CONNECTION);
        for (String names : from.getOrEmpty(HttpHeaders.CONNECTION)) {
            for (String name : StringUtils.tokenizeToStringArray(names, ",")) {
                dropped.add(name.toLowerCase(Locale.ROOT));
            }
        }
        from.forEach((name, values) -> {
            if (!dropped.contains(name.toLowerCase(Locale.ROOT))) {
                to.put(name, values);
            }
        });
    }

    /**
     * Says who sent the request, for a server that believes such headers: as this server understood those that it was sent. What a client
     * has sent besides is dropped.
     *
     * @param prefix that a proxy has removed from the path, empty if none
     */
    static void sayWhoAsks(ServerHttpRequest request, String prefix, HttpHeaders to) {
        FORWARDED.forEach(to::remove);
        URI uri = request.getURI();
        InetSocketAddress client = request.getRemoteAddress();
        if (client != null) {
            to.set("X-Forwarded-For", client.isUnresolved() ? client.getHostString() : addressOf(client));
        }
        to.set("X-Forwarded-Proto", uri.getScheme());
        to.set("X-Forwarded-Host", uri.getRawAuthority());
        to.set("X-Forwarded-Port", Integer.toString(portOf(uri)));
        if (!prefix.isEmpty()) {
            to.set("X-Forwarded-Prefix", prefix);
        }
    }

    private static String addressOf(InetSocketAddress client) {
        return client.getAddress().getHostAddress();
    }

    private static int portOf(URI uri) {
        return uri.getPort() >= 0 ? uri.getPort() : uri.getScheme().equals("https") ? 443 : 80;
    }
}
