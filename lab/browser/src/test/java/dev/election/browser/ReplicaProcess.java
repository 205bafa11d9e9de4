package dev.election.browser;

import dev.election.harness.Children;
import dev.election.harness.ClassArchive;
import dev.election.harness.JvmProcess;
import dev.election.harness.Wait;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A {@link Replica} in a process of its own. */
final class ReplicaProcess {

    private static final Duration LONGEST_START = Duration.ofSeconds(90);

    private static final ClassArchive CLASSES = new ClassArchive("replicas", "ready", (options, redisPort, folder) -> {
        List<String> arguments = new ArrayList<>(arguments("training", redisPort));
        arguments.addAll(List.of("--server.port=0", "--management.server.port=0", "--test.sign-in=basic"));
        return JvmProcess.command(options, Replica.class.getName(), arguments);
    });

    private final String id;
    private final JvmProcess process;
    private final Map<String, Integer> ports = new ConcurrentHashMap<>();
    private final Set<String> heard = ConcurrentHashMap.newKeySet();

    ReplicaProcess(String id, int redisPort, String... properties) {
        this.id = id;
        List<String> arguments = new ArrayList<>(arguments(id, redisPort));
        arguments.addAll(List.of(properties).stream().map(each -> "--" + each).toList());
        if (arguments.stream().noneMatch(each -> each.startsWith("--server.port="))) {
            arguments.add("--server.port=0");
        }
        File log = Path.of("target", id + ".log").toFile();
        process = new JvmProcess(
                id,
                Children.OF_THIS_JVM,
                JvmProcess.builder(CLASSES.with(JvmProcess.small(128)), Replica.class, arguments)
                        .redirectError(log));
        process.listen(this::hear, () -> {});
    }

    private static List<String> arguments(String id, int redisPort) {
        return List.of(
                "--server.address=127.0.0.1",
                "--spring.application.name=billing",
                "--spring.data.redis.port=" + redisPort,
                "--spring.main.banner-mode=off",
                "--election.node.id=" + id,
                "--spring.application.version=1.4.0",
                "--election.node.zone=eu-1",
                "--election.lease=6s",
                "--election.members.enabled=true",
                "--election.drainable=true",
                "--election.partitions.orders.count=16",
                "--management.endpoints.web.exposure.include=health,leader,leaderconsole",
                "--management.endpoint.leader.access=unrestricted");
    }

    String id() {
        return id;
    }

    ReplicaProcess awaitStarted() {
        process.await("ready", heard, LONGEST_START);
        return this;
    }

    int port() {
        return ports.get("server");
    }

    int managementPort() {
        return ports.get("management");
    }

    String page() {
        return "http://127.0.0.1:" + port() + "/actuator/leaderconsole";
    }

    /** Begins work of the leader; returns whether it was admitted. */
    boolean work() {
        heard.removeIf(line -> line.startsWith("work"));
        process.send("work");
        Wait.until(
                "an answer of " + id, LONGEST_START, () -> heard.contains("work true") || heard.contains("work false"));
        return heard.contains("work true");
    }

    void rest() {
        process.send("rest");
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Stands still, as in a long pause of its garbage collector. */
    void freeze() {
        process.signal("STOP");
    }

    void thaw() {
        process.signal("CONT");
    }

    void kill() {
        process.kill();
    }

    private void hear(String line) {
        String[] words = line.split(" ");
        if (words[0].equals("port")) {
            ports.put(words[1], Integer.parseInt(words[2]));
        }
        heard.add(line);
    }
}
