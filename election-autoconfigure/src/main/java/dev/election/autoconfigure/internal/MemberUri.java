package dev.election.autoconfigure.internal;

import dev.election.members.Members;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** The address of the web server of this process, once it listens, as Spring Boot tells it. */
final class MemberUri {

    private final Environment environment;
    private final String host;
    private final @Nullable String ownUri;

    /**
     * Creates it.
     *
     * @param address of this node, which may name a port that is not that of the web server
     * @param ownUri what the application says in place of it
     */
    MemberUri(Environment environment, String address, @Nullable String ownUri) {
        this.environment = environment;
        this.host = host(address);
        this.ownUri = ownUri;
    }

    /** Tells the other members. Without a web server there is nothing to tell. */
    void tell(Members members) {
        String port = environment.getProperty("local.server.port");
        String managementPort = environment.getProperty("local.management.port");
        String uri = ownUri != null ? ownUri : port == null ? "" : uri("server.ssl", port, path());
        String management = managementPort == null || managementPort.equals(port)
                ? ""
                : uri(
                        "management.server.ssl",
                        managementPort,
                        environment.getProperty("management.server.base-path", ""));
        if (!uri.isEmpty() || !management.isEmpty()) {
            members.setUri(uri, management);
        }
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
