package dev.election.routing;

import dev.election.harness.Children;
import dev.election.harness.ClassArchive;
import dev.election.harness.JvmProcess;
import dev.election.harness.Ports;
import dev.election.harness.Wait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;

/** A {@link RoutedNode} with a heap of 64 MB, which may be killed and started again. */
final class RoutedProcess {

    /** Also for a start beside other builds. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final ClassArchive CLASSES = new ClassArchive(
            "nodes",
            "ready",
            (options, redis, folder) -> JvmProcess.command(
                    options, RoutedNode.class.getName(), arguments("training", Ports.free(), redis)));

    private final String id;
    private final int port = Ports.free();
    private final int redis;
    private final Children children;
    private final BiConsumer<RoutedProcess, String> ear;
    private final List<String> more;
    private volatile JvmProcess process;
    private final BlockingQueue<Load> loads = new LinkedBlockingQueue<>();
    private volatile boolean isReady;

    /**
     * @param id of the node
     * @param redis its port
     * @param children with which the process ends
     * @param ear hears each line that the process says
     * @param more arguments
     */
    RoutedProcess(String id, int redis, Children children, BiConsumer<RoutedProcess, String> ear, String... more) {
        this.id = id;
        this.redis = redis;
        this.children = children;
        this.ear = ear;
        this.more = List.of(more);
    }

    String id() {
        return id;
    }

    int port() {
        return port;
    }

    JvmProcess process() {
        return process;
    }

    void start() {
        start(JvmProcess.small(64));
    }

    /** Starts it with these options of the JVM. */
    void start(List<String> options) {
        isReady = false;
        List<String> arguments = new ArrayList<>(arguments(id, port, redis));
        arguments.addAll(more);
        process = new JvmProcess(
                id,
                children,
                JvmProcess.builder(CLASSES.with(options), RoutedNode.class, arguments)
                        .redirectError(ProcessBuilder.Redirect.INHERIT));
        process.listen(this::hear, () -> {});
    }

    private static List<String> arguments(String id, int port, int redis) {
        return List.of(
                "--election.node.id=" + id,
                "--server.port=" + port,
                "--spring.data.redis.host=127.0.0.1",
                "--spring.data.redis.port=" + redis,
                "--election.lease=2s",
                "--election.shutdown.await=5s");
    }

    void awaitReady() {
        Wait.until(id + " is ready or has ended", PATIENCE, () -> isReady || !process.isAlive());
        if (!isReady) {
            throw new IllegalStateException(id + " has ended while it started");
        }
    }

    /** What it has to do at this moment. */
    Load load() throws InterruptedException {
        process.send("load");
        return loads.take();
    }

    private void hear(String line) {
        String[] words = line.split(" ");
        if (words[0].equals("ready")) {
            isReady = true;
        }
        if (words[0].equals("load")) {
            loads.add(new Load(Integer.parseInt(words[1]), Integer.parseInt(words[2])));
        }
        ear.accept(this, line);
    }

    /**
     * What a process has to do.
     *
     * @param work requests that it serves as the leader
     * @param threads all of them
     */
    record Load(int work, int threads) {}
}
