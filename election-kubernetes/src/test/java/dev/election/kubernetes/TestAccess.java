package dev.election.kubernetes;

import dev.election.harness.ApiServer;
import dev.election.kubernetes.internal.MountedCredentials;

/** The access of a pod to a server for tests. */
final class TestAccess {

    private TestAccess() {}

    static KubernetesAccess to(ApiServer server) {
        return to(server, ApiServer.ADMIN);
    }

    static KubernetesAccess to(ApiServer server, String token) {
        return new KubernetesAccess(
                server.address(), ApiServer.NAMESPACE, new MountedCredentials(server.mounted(token)));
    }
}
