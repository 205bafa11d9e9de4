package dev.election.autoconfigure.internal;

import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** Where the web servers of this process are reached once they listen, as Spring Boot tells it. */
public final class WebAddress {

    private final Environment environment;
    private final String host;
    private final @Nullable String ownUri;

    /**
     * Creates it.
     *
     * @param address of this node, which may name a port that is not that of the web server
     * @param ownUri what the application says in place of it
     */
    public WebAddress(Environment environment, String address, @Nullable String ownUri) {
        this.environment = environment;
        this.host = host(address);
        this.ownUri = ownUri;
    }

    /** Where the web server is reached; empty if there is none, or none yet. */
    public String uri() {
        String port = environment.getProperty("local.server.port");
        return ownUri != null ? ownUri : port == null ? "" : uri("server.ssl", port, path());
    }

    /** Where the management endpoints are reached if they have a port of their own; otherwise empty. */
    String managementUri() {
        String port = environment.getProperty("local.management.port");
        return port == null || port.equals(environment.getProperty("local.server.port"))
                ? ""
                : uri("management.server.ssl", port, environment.getProperty("management.server.base-path", ""));
    }

    private String path() {
        return environment.getProperty(
                "server.servlet.context-path", environment.getProperty("spring.webflux.base-path", ""));
    }

    private String uri(String ssl, String port, String path) {
        boolean isSecure = environment.getProperty(ssl + ".enabled", Boolean.class, true)
                && (environment.containsProperty(ssl + ".bundle")
                        || environment.containsProperty(ssl + ".key-store")
                        || environment.containsProperty(ssl + ".certificate"));
        return (isSecure ? "https://" : "http://") + host + ":" + port + (path.equals("/") ? "" : path);
    }

    /** The host of an address without its port, as a URI needs it: an IPv6 address stands in brackets. */
    static String host(String address) {
        int colon = address.lastIndexOf(':');
        if (address.startsWith("[")) {
            return address.substring(0, address.indexOf(']') + 1);
        }
        if (colon != address.indexOf(':')) {
            return "[" + address + "]";
        }
        return colon < 0 ? address : address.substring(0, colon);
    }
}
