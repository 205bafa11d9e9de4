package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.jspecify.annotations.Nullable;

/** A server of ZooKeeper in a JVM of its own, on loopback, that may be treated badly. It loses no write that it has acknowledged. */
public final class ZooKeeperServer implements RestorableServer {

    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);
    private static final Pattern RECEIVED = Pattern.compile("Received: (\\d+)");

    private final Children children;
    private final Path folder;
    private final int port = Ports.free();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<String> systemProperties = new ArrayList<>();

    /** The ways to the others of a linked ensemble, of which one leads. */
    private final List<Link> leaders = new ArrayList<>();

    private @Nullable JvmProcess process;

    /**
     * Creates a server that does not run yet.
     *
     * @param settings of the server, written as {@code name=value}; of its JVM, if the name begins with {@code zookeeper.}
     */
    public ZooKeeperServer(Children children, Path folder, String... settings) {
        this.children = children;
        this.folder = folder;
        set("clientPort", Integer.toString(port));
        set("clientPortAddress", "127.0.0.1");
        set("admin.enableServer", "false");
        set("tickTime", "500");
        set("maxClientCnxns", "0");
        for (String setting : settings) {
            String[] parts = setting.split("=", 2);
            set(parts[0], parts[1]);
        }
    }

    /** Returns three servers that know each other and run, with those settings. Two of them are a majority. */
    public static List<ZooKeeperServer> ensemble(Children children, Path folder, String... settings) {
        return ensemble(children, folder, false, settings);
    }

    /** Returns such servers, each of which can be cut off from the others. The end of one takes them longer to notice. */
    public static List<ZooKeeperServer> linkedEnsemble(Children children, Path folder, String... settings) {
        return ensemble(children, folder, true, settings);
    }

    private static List<ZooKeeperServer> ensemble(
            Children children, Path folder, boolean isLinked, String... settings) {
        List<ZooKeeperServer> members = new ArrayList<>();
        for (int id = 1; id <= 3; id++) {
            members.add(new ZooKeeperServer(children, folder.resolve(Integer.toString(id)), settings));
        }
        List<Integer> quorumPorts = members.stream().map(member -> Ports.free()).toList();
        List<Integer> electionPorts =
                members.stream().map(member -> Ports.free()).toList();
        for (int id = 1; id <= 3; id++) {
            ZooKeeperServer member = members.get(id - 1);
            member.set("initLimit", "10");
            member.set("syncLimit", "4");
            for (int other = 1; other <= 3; other++) {
                int quorumPort = quorumPorts.get(other - 1);
                member.set(
                        "server." + other,
                        "127.0.0.1:" + (isLinked && other != id ? member.wayTo(quorumPort) : quorumPort) + ":"
                                + electionPorts.get(other - 1));
            }
            member.identify(id);
        }
        members.forEach(ZooKeeperServer::launch);
        members.forEach(ZooKeeperServer::awaitReady);
        return members;
    }

    private int wayTo(int quorumPort) {
        Link way = new Link(quorumPort);
        leaders.add(way);
        return way.port();
    }

    /** Changes the way from this server to whichever other one leads its linked ensemble, but not that of clients. */
    public void reachLeader(Conditions conditions) {
        leaders.forEach(way -> way.become(conditions));
    }

    private void identify(int id) {
        try {
            Files.createDirectories(data());
            Files.writeString(data().resolve("myid"), Integer.toString(id));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes a setting, from the next start on. */
    public void set(String name, String value) {
        if (name.startsWith("zookeeper.")) {
            systemProperties.add("-D" + name + "=" + value);
        } else {
            settings.put(name, value);
        }
    }

    public int port() {
        return port;
    }

    /** Lets it take connections by TLS at another port from the next start on, with a certificate for loopback. Returns that port. */
    public int secure() {
        int secured = Ports.free();
        set("zookeeper.serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory");
        set("secureClientPort", Integer.toString(secured));
        set("secureClientPortAddress", "127.0.0.1");
        set("ssl.clientAuth", "none");
        set("ssl.keyStore.location", Certificate.LOOPBACK.file().toString());
        set("ssl.keyStore.password", Certificate.PASSWORD);
        // Asked for also where nobody has to show a certificate.
        set("ssl.trustStore.location", certificate().toString());
        set("ssl.trustStore.type", "PEM");
        return secured;
    }

    /** Returns the PEM file of its certificate. */
    public Path certificate() {
        return Certificate.LOOPBACK.files().certificate();
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    private Path data() {
        return folder.resolve("data");
    }

    @Override
    public void start() {
        launch();
        awaitReady();
    }

    private void launch() {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> options = new ArrayList<>(JvmProcess.small(128));
        options.addAll(systemProperties);
        List<String> arguments = new ArrayList<>(List.of(folder.toString()));
        settings.forEach((name, value) -> arguments.add(name + "=" + value));
        process = new JvmProcess(
                "ZooKeeper at " + port,
                children,
                JvmProcess.builder(options, Program.class, arguments)
                        .redirectErrorStream(true)
                        .redirectOutput(Redirect.appendTo(folder.resolve("log").toFile())));
    }

    private void awaitReady() {
        Wait.until("ZooKeeper at " + port, LONGEST_START, () -> {
            if (!running().isAlive()) {
                throw new IllegalStateException("ZooKeeper ended: " + Files.readString(folder.resolve("log")));
            }
            return RECEIVED.matcher(status()).find();
        });
    }

    private String status() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(Math.toIntExact(LONGEST_ANSWER.toMillis()));
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.UTF_8));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Whether it follows another one of the ensemble. */
    public boolean isFollower() {
        try {
            return status().contains("Mode: follower");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns how many packets it has received since its start, pings and this question among them. */
    public long received() {
        try {
            Matcher received = RECEIVED.matcher(status());
            if (received.find()) {
                return Long.parseLong(received.group(1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("The server at port " + port + " does not serve");
    }

    /** Whether it is the leader of its ensemble. */
    public boolean isLeader() {
        try {
            return status().contains("Mode: leader");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private JvmProcess running() {
        if (process == null) {
            throw new IllegalStateException("The server at port " + port + " was never started");
        }
        return process;
    }

    @Override
    public void kill() {
        if (process != null) {
            process.kill();
        }
    }

    @Override
    public void freeze() {
        running().signal("STOP");
    }

    @Override
    public void thaw() {
        running().signal("CONT");
    }

    /** It writes nothing meanwhile, so that the copy is whole. */
    @Override
    public void snapshot() {
        freeze();
        copy(data(), folder.resolve("backup"));
        thaw();
    }

    @Override
    public void restore() {
        kill();
        copy(folder.resolve("backup"), data());
        start();
    }

    private static void copy(Path from, Path to) {
        Children.run(new ProcessBuilder("rm", "-rf", to.toString()));
        Children.run(new ProcessBuilder("cp", "-a", from.toString(), to.toString()));
    }

    @Override
    public void close() {
        kill();
        leaders.forEach(Link::close);
    }

    /** Runs in the JVM of the server. */
    static final class Program {

        private Program() {}

        public static void main(String[] arguments) throws Exception {
            Properties configuration = new Properties();
            for (String setting : List.of(arguments).subList(1, arguments.length)) {
                String[] parts = setting.split("=", 2);
                configuration.setProperty(parts[0], parts[1]);
            }
            try (ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
                    .baseDir(Path.of(arguments[0]))
                    .configuration(configuration)
                    .build()) {
                server.start(LONGEST_START.toMillis());
                while (System.in.read() >= 0) {
                    // It ends with whoever has started it.
                }
            }
        }
    }
}
