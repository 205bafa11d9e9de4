package dev.election.kubernetes;

import dev.election.kubernetes.internal.MountedCredentials;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The way to an API server.
 *
 * @param server its address, without a path
 * @param namespace the namespace of the Leases
 * @param credentials the credentials of the client
 */
public record KubernetesAccess(URI server, String namespace, Credentials credentials) {

    private static final Path SERVICE_ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    /** Throws an {@link IllegalArgumentException} for an address without a host, or a name that no namespace has. */
    public KubernetesAccess {
        String scheme = String.valueOf(server.getScheme());
        if (server.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
            throw new IllegalArgumentException(
                    "The address of the API server must have https or http and a host, but is " + server);
        }
        if (!namespace.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "A namespace has 1 to 63 of a-z 0-9 -, with a letter or digit at both ends, but not " + namespace);
        }
    }

    /** Whether this process runs in a pod with a mounted service account. */
    public static boolean isInPod() {
        return System.getenv("KUBERNETES_SERVICE_HOST") != null
                && Files.isRegularFile(SERVICE_ACCOUNT.resolve("token"));
    }

    /**
     * Returns the access of the service account of this pod, in its namespace.
     *
     * @throws IllegalStateException if this process does not run in a pod, or no service account is mounted
     */
    public static KubernetesAccess inPod() {
        return mounted(SERVICE_ACCOUNT, System.getenv());
    }

    static KubernetesAccess mounted(Path folder, Map<String, String> environment) {
        String host = environment.get("KUBERNETES_SERVICE_HOST");
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT_HTTPS", "443");
        MountedCredentials credentials = new MountedCredentials(folder);
        if (host == null) {
            throw new IllegalStateException("KUBERNETES_SERVICE_HOST is not set: this process does not run in a pod");
        }
        String shown = host.contains(":") ? "[" + host + "]" : host;
        return new KubernetesAccess(URI.create("https://" + shown + ":" + port), credentials.namespace(), credentials);
    }
}
