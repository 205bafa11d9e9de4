package dev.election.kubernetes;

import dev.election.harness.ApiServer;
import dev.election.harness.TemporaryFolders;
import dev.election.kubernetes.internal.MountedCredentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The access of a pod to a server for tests. */
final class TestAccess {

    private TestAccess() {}

    static KubernetesAccess to(ApiServer server) {
        return to(server, ApiServer.ADMIN);
    }

    static KubernetesAccess to(ApiServer server, String token) {
        return new KubernetesAccess(
                server.address(), ApiServer.NAMESPACE, new MountedCredentials(mounted(server, token)));
    }

    /** Writes the files that Kubernetes mounts into a pod. */
    static Path mounted(ApiServer server, String token) {
        try {
            Path folder = TemporaryFolders.create("election-service-account");
            Files.writeString(folder.resolve("token"), token);
            Files.writeString(folder.resolve("namespace"), ApiServer.NAMESPACE);
            Files.copy(server.certificate(), folder.resolve("ca.crt"));
            return folder;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
