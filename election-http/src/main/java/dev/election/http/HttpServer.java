package dev.election.http;

import java.net.URI;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A server, as a connection finds it.
 *
 * @param address its address; {@code https} or {@code http}, without a path
 * @param tls the certificates that are trusted and shown; {@code null} for those of the JDK. Not used with {@code http}
 */
public record HttpServer(URI address, @Nullable SSLContext tls) {

    boolean isSecure() {
        return "https".equals(address.getScheme());
    }

    String host() {
        String host = address.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    int port() {
        int port = address.getPort();
        return port >= 0 ? port : isSecure() ? 443 : 80;
    }
}
