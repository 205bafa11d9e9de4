package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A server of the Kubernetes API on loopback, over TLS, with the namespace {@value #NAMESPACE}: a {@link KubernetesServer}, or a {@link
 * StrictApiServer} in this JVM.
 */
public interface ApiServer extends AutoCloseable {

    /** The only namespace that tests use. */
    String NAMESPACE = "default";

    /** Token of a user with all rights, who is called so as well. */
    String ADMIN = "admin";

    /** Token of a user without any right, who is called so as well. */
    String NOBODY = "nobody";

    /** Scheme, IP address and port; stays the same after a stop. */
    URI address();

    /** PEM file with the certificate that a client has to trust. */
    Path certificate();

    /** Writes the files that Kubernetes mounts into a pod whose service account has that token. */
    default Path mounted(String token) {
        try {
            Path folder = TemporaryFolders.create("election-service-account");
            Files.writeString(folder.resolve("token"), token);
            Files.writeString(folder.resolve("namespace"), NAMESPACE);
            Files.copy(certificate(), folder.resolve("ca.crt"));
            return folder;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** PEM files of a client with all rights. */
    default ClientFiles client() {
        return Certificate.CLIENT.files();
    }

    /** PEM file of a client's certificate, and that of its private key in PKCS #8. */
    record ClientFiles(Path certificate, Path key) {}

    /** Starts again after a {@link #stop()} or {@link #kill()}, at the same port and with the same data. Returns when it answers. */
    void start();

    /** Ends as for an update: new connections are refused, open ones end. */
    void stop();

    /** Ends as a crash does. */
    void kill();

    /** Keeps the present data for a restore. */
    void snapshot();

    /** Brings the data and versions of the snapshot back, and restarts, so that all connections end. */
    void restore();

    /**
     * Brings the data and versions of the snapshot back while the server runs, as when only the etcd below it is restored: reads show the
     * old data, connections stay, and watches are silent until the versions are higher than they ever were.
     */
    void restoreBelow();

    /** Writes an object as a person does, whatever was there: {@code path} is that of the object. */
    void put(String path, String json);

    /** Deletes an object as a person does. */
    void delete(String path);

    /** Reads an object as a person does. */
    String get(String path);

    @Override
    void close();
}
