package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A member of an etcd, in a process of its own, with its data in memory where that has room. {@code etcd} and {@code etcdctl} must be on the path. */
public final class EtcdServer implements RestorableServer {

    private static final Duration LONGEST_START = Duration.ofMinutes(2);

    private final Path folder = TemporaryFolders.createInMemory("etcd");
    private final URI address;
    private final List<String> options;
    private Path data = folder.resolve("data");
    private int restores;
    private Process process;

    /** The only member of an etcd, with these options besides those about addresses and files. Waits until it is there. */
    public EtcdServer(String... options) {
        this("http", Ports.free(), with("--listen-peer-urls=http://127.0.0.1:0", options));
        await();
    }

    private EtcdServer(String scheme, int port, List<String> options) {
        this.address = URI.create(scheme + "://127.0.0.1:" + port);
        this.options = options;
        this.process = launched();
    }

    /** The only member of an etcd that takes connections by TLS from clients with {@link #client}. */
    public static EtcdServer secured() {
        ApiServer.ClientFiles own = Certificate.LOOPBACK.files();
        EtcdServer server = new EtcdServer(
                "https",
                Ports.free(),
                List.of(
                        "--listen-peer-urls=http://127.0.0.1:0",
                        "--cert-file=" + own.certificate(),
                        "--key-file=" + own.key(),
                        "--client-cert-auth",
                        "--trusted-ca-file=" + trusted()));
        server.await();
        return server;
    }

    /** The gateway shows the certificate of the server, and the client its own. */
    private static Path trusted() {
        try {
            return Files.writeString(
                    TemporaryFolders.create("trusted").resolve("ca.crt"),
                    Files.readString(Certificate.LOOPBACK.files().certificate())
                            + Files.readString(client().certificate()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** PEM files of a client that a secured server lets in. */
    public static ApiServer.ClientFiles client() {
        return Certificate.CLIENT.files();
    }

    /** PEM file with the certificate that a client of a secured server has to trust. */
    public static Path certificate() {
        return Certificate.LOOPBACK.files().certificate();
    }

    /** The members of one etcd. */
    public static List<EtcdServer> cluster(int size) {
        List<Integer> peers =
                IntStream.range(0, size).map(i -> Ports.free()).boxed().toList();
        String all = IntStream.range(0, size)
                .mapToObj(i -> "m" + i + "=http://127.0.0.1:" + peers.get(i))
                .collect(Collectors.joining(","));
        List<EtcdServer> members = peers.stream()
                .map(peer -> new EtcdServer(
                        "http",
                        Ports.free(),
                        List.of(
                                "--name=m" + peers.indexOf(peer),
                                "--listen-peer-urls=http://127.0.0.1:" + peer,
                                "--initial-advertise-peer-urls=http://127.0.0.1:" + peer,
                                "--initial-cluster=" + all)))
                .toList();
        members.forEach(EtcdServer::await);
        return members;
    }

    /** Whether the programs are there. */
    public static boolean isInstalled() {
        try {
            Children.run(new ProcessBuilder("sh", "-c", "command -v etcd && command -v etcdctl"));
            return true;
        } catch (IllegalStateException missing) {
            return false;
        }
    }

    private static List<String> with(String first, String... others) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(List.of(others));
        return all;
    }

    /** Scheme, IP address and port; stays the same after a stop. */
    public URI address() {
        return address;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public void start() {
        process = launched();
        await();
    }

    private Process launched() {
        List<String> command = new ArrayList<>(List.of(
                "etcd", "--data-dir=" + data, "--listen-client-urls=" + address, "--advertise-client-urls=" + address));
        command.addAll(options);
        return Children.OF_THIS_JVM.launch(new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(folder.resolve("log").toFile())));
    }

    private void await() {
        Wait.until("etcd at " + address, LONGEST_START, () -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("etcd ended: " + Files.readString(folder.resolve("log")));
            }
            try (Socket ignored = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
                return true;
            }
        });
    }

    /** Waits until it answers, for which most members must reach each other. */
    public void awaitHealth() {
        Wait.until("the health of etcd at " + address, LONGEST_START, () -> {
            try {
                control("endpoint", "health");
                return true;
            } catch (IllegalStateException notYet) {
                return false;
            }
        });
    }

    @Override
    public void kill() {
        Children.OF_THIS_JVM.kill(process);
    }

    @Override
    public void freeze() {
        Children.signal(process, "STOP");
    }

    @Override
    public void thaw() {
        Children.signal(process, "CONT");
    }

    @Override
    public void snapshot() {
        control("snapshot", "save", folder.resolve("snapshot").toString());
    }

    /** The revisions of the snapshot come back, too. */
    @Override
    public void restore() {
        kill();
        TemporaryFolders.delete(data);
        data = folder.resolve("restored-" + ++restores);
        control("snapshot", "restore", folder.resolve("snapshot").toString(), "--data-dir", data.toString());
        start();
    }

    /** Makes another one of these members the leader among them. */
    public static void moveLeader(List<EtcdServer> members) {
        String endpoints =
                members.stream().map(member -> member.address.toString()).collect(Collectors.joining(","));
        // The fields of a line: address, id, version, size, whether it leads.
        String script = "status=$(etcdctl --endpoints=$0 endpoint status) || exit 1;"
                + " leader=$(echo \"$status\" | awk -F', ' '$5 == \"true\" { print $1 }');"
                + " next=$(echo \"$status\" | awk -F', ' '$5 == \"false\" { print $2; exit }');"
                + " etcdctl --endpoints=$leader move-leader $next";
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script, endpoints);
        builder.environment().put("ETCDCTL_API", "3");
        Children.run(builder);
    }

    /** Runs {@code etcdctl}, and fails if that fails. */
    public void control(String... words) {
        List<String> command = new ArrayList<>(List.of("etcdctl", "--endpoints=" + address));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("ETCDCTL_API", "3");
        Children.run(builder);
    }

    @Override
    public void close() {
        kill();
        TemporaryFolders.delete(data);
    }
}
