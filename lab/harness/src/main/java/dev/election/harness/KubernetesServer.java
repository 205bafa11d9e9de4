package dev.election.harness;

import static java.net.http.HttpRequest.BodyPublishers.noBody;
import static java.net.http.HttpRequest.BodyPublishers.ofString;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A kube-apiserver over an etcd of its own, in processes of their own. The system property {@value #PROPERTY} names the folder with the
 * program, as {@code kube-apiserver} or {@code kube-apiserver.xz}; {@code etcd}, {@code etcdctl} and {@code xz} must be on the path.
 */
public final class KubernetesServer implements ApiServer {

    /** Name of the system property with the folder of the program. One that begins with {@code election.} would be taken for one of the elections. */
    public static final String PROPERTY = "kubernetes.server";

    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final Duration LONGEST_REPLY = Duration.ofSeconds(10);

    private final Path folder = TemporaryFolders.create("k8s");
    private final int port = Ports.free();
    private final EtcdServer etcd;
    private final HttpClient http = HttpClient.newBuilder()
            .sslContext(Certificate.context(null, Certificate.LOOPBACK))
            .build();
    private final Path program;
    private Process api;

    /** Waits until it answers. */
    public KubernetesServer() {
        program = Program.get().path();
        etcd = new EtcdServer();
        api = launchApi();
        awaitAnswer();
    }

    /** The program, which is unpacked once. */
    private record Program(Path path) {

        private static final CompletableFuture<Program> ONLY = new CompletableFuture<>();

        static Program get() {
            synchronized (ONLY) {
                if (!ONLY.isDone()) {
                    ONLY.complete(new Program(find()));
                }
                return ONLY.join();
            }
        }

        private static Path find() {
            String named = System.getProperty(PROPERTY, "");
            Path program = Path.of(named, "kube-apiserver");
            Path packed = Path.of(named, "kube-apiserver.xz");
            if (named.isEmpty() || !(Files.exists(program) || Files.exists(packed))) {
                throw new IllegalStateException("No kube-apiserver or kube-apiserver.xz in '" + named + "'. Set -D"
                        + PROPERTY + " to the folder with one of them");
            }
            for (String tool : List.of("etcd", "etcdctl", "xz")) {
                Children.run(new ProcessBuilder(
                        "sh",
                        "-c",
                        "command -v \"$0\" || { echo Install etcd-server, etcd-client and xz-utils; exit 1; }",
                        tool));
            }
            if (Files.exists(program)) {
                return program;
            }
            Path unpacked = TemporaryFolders.create("kube-apiserver").resolve("kube-apiserver");
            Children.run(new ProcessBuilder(
                    "sh",
                    "-c",
                    "xz -dc \"$1\" >\"$2\" && chmod +x \"$2\"",
                    "sh",
                    packed.toString(),
                    unpacked.toString()));
            return unpacked;
        }
    }

    @Override
    public URI address() {
        return URI.create("https://127.0.0.1:" + port);
    }

    @Override
    public Path certificate() {
        return Certificate.LOOPBACK.files().certificate();
    }

    @Override
    public void start() {
        if (!etcd.isAlive()) {
            etcd.start();
        }
        api = launchApi();
        awaitAnswer();
    }

    /** Waits until all answers rest on etcd. */
    public void awaitAnswer() {
        Wait.until("kube-apiserver at port " + port, LONGEST_START, () -> {
            if (!api.isAlive()) {
                throw new IllegalStateException("kube-apiserver ended: " + Files.readString(log("api")));
            }
            // The server itself makes the namespace a little later. Each kind of objects has an own connection to etcd.
            return isFound("/readyz")
                    && isFound("/api/v1/namespaces/" + NAMESPACE)
                    && isFound("/apis/coordination.k8s.io/v1/namespaces/" + NAMESPACE + "/leases");
        });
    }

    /** A server that is about to begin may take a request and never answer it. */
    private boolean isFound(String path) throws IOException {
        return ask("GET", path, noBody(), Duration.ofSeconds(1)).statusCode() == 200;
    }

    @Override
    public void stop() {
        Children.signal(api, "TERM");
        api.onExit().join();
    }

    @Override
    public void kill() {
        Children.OF_THIS_JVM.kill(api);
    }

    /** Stops the API server without ending it, as a hung machine. */
    public void freeze() {
        Children.signal(api, "STOP");
    }

    public void thaw() {
        Children.signal(api, "CONT");
    }

    /** Ends the etcd below the API server as a crash does. */
    public void killEtcd() {
        etcd.kill();
    }

    /** Starts etcd again with the same data. Returns when the API server answers by it. */
    public void startEtcd() {
        etcd.start();
        awaitAnswer();
    }

    @Override
    public void snapshot() {
        etcd.snapshot();
    }

    @Override
    public void restore() {
        kill();
        restoreBelow();
        start();
    }

    @Override
    public void restoreBelow() {
        etcd.restore();
    }

    @Override
    public void put(String path, String json) {
        HttpResponse<String> old = order("GET", path, noBody());
        if (old.statusCode() == 404) {
            checked(order("POST", path.substring(0, path.lastIndexOf('/')), ofString(json)));
            return;
        }
        ObjectNode object = (ObjectNode) ApiReply.JSON.readTree(json);
        JsonNode version = ApiReply.JSON.readTree(checked(old)).at("/metadata/resourceVersion");
        object.withObject("/metadata").set("resourceVersion", version);
        checked(order("PUT", path, ofString(object.toString())));
    }

    @Override
    public void delete(String path) {
        // At once, also a pod.
        checked(order(
                "DELETE",
                path,
                ofString("{\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"gracePeriodSeconds\":0}")));
    }

    @Override
    public String get(String path) {
        return checked(order("GET", path, noBody()));
    }

    @Override
    public void close() {
        kill();
        etcd.close();
    }

    private static String checked(HttpResponse<String> response) {
        if (response.statusCode() >= 300) {
            throw new IllegalStateException(response + ": " + response.body());
        }
        return response.body();
    }

    private HttpResponse<String> order(String method, String path, BodyPublisher body) {
        try {
            return ask(method, path, body, LONGEST_REPLY);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse<String> ask(String method, String path, BodyPublisher body, Duration patience)
            throws IOException {
        HttpRequest request = HttpRequest.newBuilder(address().resolve(path))
                .timeout(patience)
                .header("Authorization", "Bearer " + ADMIN)
                .header("Content-Type", "application/json")
                .method(method, body)
                .build();
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw Wait.interrupted(e);
        }
    }

    private Process launchApi() {
        ClientFiles server = Certificate.LOOPBACK.files();
        Path tokens = folder.resolve("tokens.csv");
        try {
            Files.writeString(tokens, ADMIN + "," + ADMIN + ",1,system:masters\n" + NOBODY + "," + NOBODY + ",2\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return launch(
                "api",
                List.of(
                        program.toString(),
                        "--etcd-servers=" + etcd.address(),
                        "--bind-address=127.0.0.1",
                        // While a watch is open, an orderly stop takes as long as this.
                        "--request-timeout=5s",
                        "--secure-port=" + port,
                        "--tls-cert-file=" + server.certificate(),
                        "--tls-private-key-file=" + server.key(),
                        "--client-ca-file=" + client().certificate(),
                        "--token-auth-file=" + tokens,
                        "--authorization-mode=RBAC",
                        "--service-account-issuer=https://kubernetes.default",
                        "--service-account-key-file=" + server.certificate(),
                        "--service-account-signing-key-file=" + server.key(),
                        "--service-cluster-ip-range=10.0.0.0/24",
                        "--disable-admission-plugins=ServiceAccount"));
    }

    private Process launch(String name, List<String> command) {
        return Children.OF_THIS_JVM.launch(new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log(name).toFile())));
    }

    private Path log(String name) {
        return folder.resolve(name + ".log");
    }
}
