package dev.election.etcd;

import java.net.URI;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The way to the members of an etcd.
 *
 * @param endpoints their addresses for clients, without a path; all of one cluster
 * @param user the user and its password, {@code null} where etcd asks for none
 * @param tls the certificates that are trusted and shown
 */
public record EtcdAccess(List<URI> endpoints, @Nullable User user, Tls tls) {

    /** Throws an {@link IllegalArgumentException} for no endpoint, or an address without a host. */
    public EtcdAccess {
        endpoints = List.copyOf(endpoints);
        if (endpoints.isEmpty()) {
            throw new IllegalArgumentException("There must be at least one endpoint of etcd");
        }
        for (URI endpoint : endpoints) {
            String scheme = String.valueOf(endpoint.getScheme());
            boolean isAddress = endpoint.getHost() != null && (scheme.equals("https") || scheme.equals("http"));
            if (!isAddress
                    || endpoint.getUserInfo() != null
                    || !String.valueOf(endpoint.getPath()).matches("/?")) {
                throw new IllegalArgumentException(
                        "An endpoint of etcd has http or https, a host, a port and nothing else, but host "
                                + endpoint.getHost() + " and scheme " + scheme + " were found");
            }
        }
    }

    /** The certificates that are trusted and shown, asked for at each connection, on any thread. */
    @FunctionalInterface
    public interface Tls {

        /** Returns them, {@code null} for those of the JDK. */
        @Nullable
        SSLContext context();
    }

    /** A user with its password, which is never shown. */
    public record User(String name, String password) {

        @Override
        public String toString() {
            return name;
        }
    }
}
