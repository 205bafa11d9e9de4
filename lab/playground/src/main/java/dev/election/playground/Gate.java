package dev.election.playground;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Admits requests to break things: from the page that has the token, and from no other page that the browser shows.
 *
 * @param token a random one, which only the address on the console has
 * @param hosts by which this server is known. Another name may be one of somebody else's that leads here (DNS rebinding)
 */
record Gate(String token, Set<String> hosts) {

    static final String TOKEN_HEADER = "X-Playground-Token";

    static Gate at(int port) {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        return new Gate(HexFormat.of().formatHex(random), Set.of("localhost:" + port, "127.0.0.1:" + port));
    }

    boolean isOurHost(Headers headers) {
        String host = headers.getFirst("Host");
        return host != null && hosts.contains(host);
    }

    /** Whether the request may read the state. */
    boolean mayRead(Headers headers) {
        String origin = headers.getFirst("Origin");
        return isOurHost(headers) && (origin == null || isOurs(origin)) && hasToken(headers);
    }

    /** Whether the request may do something. Browsers always send the origin then. */
    boolean mayAct(Headers headers) {
        return isOurHost(headers) && isOurs(headers.getFirst("Origin")) && hasToken(headers);
    }

    private boolean isOurs(@Nullable String origin) {
        return hosts.stream().anyMatch(host -> ("http://" + host).equals(origin));
    }

    private boolean hasToken(Headers headers) {
        String given = headers.getFirst(TOKEN_HEADER);
        return given != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
