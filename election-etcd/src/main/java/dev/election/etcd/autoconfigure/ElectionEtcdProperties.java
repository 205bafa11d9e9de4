package dev.election.etcd.autoconfigure;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the lease store in etcd.
 *
 * @param endpoints the addresses of the members of one cluster, which are tried in turn
 * @param prefix the beginning of all keys, before a slash; applications that must not share an election need different ones
 * @param username the user, where etcd asks for one
 * @param password the password of the user
 * @param sslBundle the SSL bundle with the certificates that are trusted and shown; those of the JDK unless set
 */
@ConfigurationProperties("election.etcd")
public record ElectionEtcdProperties(
        @DefaultValue("http://localhost:2379") List<URI> endpoints,
        @DefaultValue("election") String prefix,
        @Nullable String username,
        @Nullable String password,
        @Nullable String sslBundle) {

    @Override
    public String toString() {
        return endpoints + ", prefix " + prefix + ", user " + username;
    }
}
