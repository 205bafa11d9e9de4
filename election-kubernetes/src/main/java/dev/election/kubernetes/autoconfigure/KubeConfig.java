package dev.election.kubernetes.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.kubernetes.Credentials;
import dev.election.kubernetes.KubernetesAccess;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads the current context of a kubeconfig, for development. */
final class KubeConfig {

    private static final String PROPERTY = "election.kubernetes.kubeconfig";

    private final Path file;
    private final Map<?, ?> config;

    private KubeConfig(Path file, Map<?, ?> config) {
        this.file = file;
        this.config = config;
    }

    /** Returns the file that kubectl reads, the first one if there are several. */
    static Path usual() {
        String named = System.getenv("KUBECONFIG");
        return named == null || named.isBlank()
                ? Path.of(System.getProperty("user.home"), ".kube", "config")
                : Path.of(named.split(File.pathSeparator, 2)[0]);
    }

    static KubernetesAccess read(Path file) {
        try {
            Object config = new Yaml(new SafeConstructor(new LoaderOptions())).load(Files.readString(file));
            if (config instanceof Map<?, ?> map) {
                return new KubeConfig(file, map).access();
            }
            throw failure(file, "it is no kubeconfig", null);
        } catch (IOException unreadable) {
            throw failure(file, "it can't be read (" + unreadable + "), and this process runs in no pod", unreadable);
        } catch (IllegalArgumentException | IllegalStateException | YAMLException invalid) {
            throw failure(file, String.valueOf(invalid.getMessage()), invalid);
        }
    }

    private static ElectionConfigurationException failure(Path file, String why, @Nullable Throwable cause) {
        return ElectionConfigurationException.ofProperty(
                PROPERTY,
                "The kubeconfig " + file + " can't be used: " + why
                        + ". Set it to a kubeconfig with a current context, or"
                        + " deploy the application with a service account",
                cause);
    }

    private KubernetesAccess access() {
        Map<?, ?> context = named("contexts", "context", text(config, "current-context"));
        Map<?, ?> cluster = named("clusters", "cluster", text(context, "cluster"));
        Map<?, ?> user = named("users", "user", text(context, "user"));
        if (user.get("exec") != null || user.get("auth-provider") != null) {
            throw new IllegalArgumentException("the user '" + text(context, "user")
                    + "' gets its token from a program (exec), which is not run here: create a token with 'kubectl create"
                    + " token <service account>' and name a kubeconfig with it");
        }
        if (Boolean.TRUE.equals(cluster.get("insecure-skip-tls-verify"))) {
            throw new IllegalArgumentException(
                    "insecure-skip-tls-verify is not supported: name the certificate-authority instead");
        }
        String namespace = text(context, "namespace");
        return new KubernetesAccess(
                URI.create(text(cluster, "server")),
                namespace.isEmpty() ? "default" : namespace,
                credentials(cluster, user));
    }

    private Credentials credentials(Map<?, ?> cluster, Map<?, ?> user) {
        String authorities = pem(cluster, "certificate-authority");
        String certificate = pem(user, "client-certificate");
        String key = pem(user, "client-key");
        PemSslStoreDetails shown = certificate == null
                ? null
                : PemSslStoreDetails.forCertificate(certificate).withPrivateKey(key);
        SSLContext tls = authorities == null && shown == null
                ? null
                : SslBundle.of(new PemSslStoreBundle(shown, PemSslStoreDetails.forCertificate(authorities)))
                        .createSslContext();
        String token = text(user, "token");
        String tokenFile = text(user, "tokenFile");
        return new Credentials() {
            @Override
            public @Nullable String token() throws IOException {
                if (!tokenFile.isEmpty()) {
                    return Files.readString(relative(tokenFile)).strip();
                }
                return token.isEmpty() ? null : token;
            }

            @Override
            public @Nullable SSLContext tls() {
                return tls;
            }
        };
    }

    /** Returns the PEM text of an entry, which names a file or holds the text; {@code null} if there is none. */
    private @Nullable String pem(Map<?, ?> entry, String name) {
        String data = text(entry, name + "-data");
        String path = text(entry, name);
        if (data.isEmpty() && path.isEmpty()) {
            return null;
        }
        try {
            String pem = data.isEmpty()
                    ? Files.readString(relative(path))
                    : new String(Base64.getDecoder().decode(data.replaceAll("\\s", "")), StandardCharsets.UTF_8);
            if (pem.contains("-----BEGIN ")) {
                return pem;
            }
            // Its text is not told: it may be a secret in the wrong place.
            throw new IllegalArgumentException(name + " is no PEM text");
        } catch (IOException unreadable) {
            throw new IllegalArgumentException(name + " can't be read: " + unreadable, unreadable);
        }
    }

    /** Resolves a path as kubectl does, from the folder of the kubeconfig. */
    private Path relative(String path) {
        Path folder = file.toAbsolutePath().getParent();
        return folder == null ? Path.of(path) : folder.resolve(path);
    }

    private Map<?, ?> named(String list, String kind, String name) {
        if (config.get(list) instanceof List<?> entries) {
            for (Object entry : entries) {
                if (entry instanceof Map<?, ?> map
                        && name.equals(map.get("name"))
                        && map.get(kind) instanceof Map<?, ?> found) {
                    return found;
                }
            }
        }
        throw new IllegalArgumentException("it has no " + kind + " '" + name + "'");
    }

    private static String text(Map<?, ?> entry, String name) {
        return entry.get(name) instanceof String text ? text : "";
    }
}
