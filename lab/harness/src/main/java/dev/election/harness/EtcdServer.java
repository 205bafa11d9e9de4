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
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A member of an etcd, in a process of its own, with its data in memory where that has room. {@code etcd} and {@code etcdctl} must be on the path. */
public final class EtcdServer implements RestorableServer {

    private static final Duration LONGEST_START = Duration.ofMinutes(2);

    /** What a member says of itself to another one. */
    private static final Pattern PEER = Pattern.compile("X-Server-From: ([0-9a-f]+)");

    private final Path folder = TemporaryFolders.createInMemory("etcd");
    private final URI address;
    private final List<String> options;

    /** The way of other members to this one, {@code null} if there are none. */
    private final @Nullable Link peers;

    private Path data = folder.resolve("data");
    private int restores;
    private Process process;

    /** The only member of an etcd, with these options besides those about addresses and files. Waits until it is there. */
    public EtcdServer(String... options) {
        this("http", Ports.free(), with("--listen-peer-urls=http://127.0.0.1:0", options), null);
        await();
    }

    private EtcdServer(String scheme, int port, List<String> options, @Nullable Link peers) {
        this.address = URI.create(scheme + "://127.0.0.1:" + port);
        this.options = options;
        this.peers = peers;
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
                        "--trusted-ca-file=" + trusted()),
                null);
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
        List<Link> peers = IntStream.range(0, size)
                .mapToObj(i -> new Link(Ports.free(), PEER))
                .toList();
        String all = IntStream.range(0, size)
                .mapToObj(i -> "m" + i + "=" + url(peers.get(i).port()))
                .collect(Collectors.joining(","));
        List<EtcdServer> members = peers.stream()
                .map(peer -> new EtcdServer(
                        "http",
                        Ports.free(),
                        List.of(
                                "--name=m" + peers.indexOf(peer),
                                "--listen-peer-urls=" + url(peer.target()),
                                "--initial-advertise-peer-urls=" + url(peer.port()),
                                "--initial-cluster=" + all),
                        peer))
                .toList();
        members.forEach(EtcdServer::await);
        return members;
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** Changes the way between one of these members and the others, but not that of clients. */
    public static void reach(List<EtcdServer> members, EtcdServer one, Conditions conditions) {
        for (EtcdServer other : members) {
            if (other != one) {
                Objects.requireNonNull(other.peers).becomeFor(one.id(), conditions);
                Objects.requireNonNull(one.peers).becomeFor(other.id(), conditions);
            }
        }
    }

    private String id() {
        return ask("endpoint", "status").split(", ", -1)[1];
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
        Wait.until("the health of etcd at " + address, LONGEST_START, this::isHealthy);
    }

    /** Whether it answers. */
    public boolean isHealthy() {
        try {
            control("endpoint", "health");
            return true;
        } catch (IllegalStateException unhealthy) {
            return false;
        }
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

    /** Writes until the quota is reached, from when on it takes no writes. */
    public void fill() {
        script(
                """
                while head -c 1000000 /dev/zero | tr '\\0' x | etcdctl put filled; do :; done
                etcdctl alarm list | grep NOSPACE""");
    }

    /** Makes room again. */
    public void clear() {
        script(
                """
                etcdctl del filled &&
                etcdctl compact $(etcdctl endpoint status -w fields | awk '/"Revision"/ { print $3 }') &&
                etcdctl defrag && etcdctl alarm disarm""");
    }

    private void script(String script) {
        Children.run(environment(new ProcessBuilder("sh", "-c", script)));
    }

    /** Runs {@code etcdctl}, and fails if that fails. */
    public void control(String... words) {
        String unused = ask(words);
    }

    private String ask(String... words) {
        return Children.ask(environment(new ProcessBuilder(with("etcdctl", words))));
    }

    private ProcessBuilder environment(ProcessBuilder builder) {
        builder.environment().putAll(Map.of("ETCDCTL_API", "3", "ETCDCTL_ENDPOINTS", address.toString()));
        return builder.directory(folder.toFile());
    }

    @Override
    public void close() {
        kill();
        if (peers != null) {
            peers.close();
        }
        TemporaryFolders.delete(data);
    }
}
