package dev.election.faults.bridge;

import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A node of either kind, seen from outside. */
final class NodeProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String id;
    private final boolean old;
    private final JvmProcess process;
    private final Set<String> heard = ConcurrentHashMap.newKeySet();

    private volatile boolean master;
    private volatile boolean doomed;

    NodeProcess(String id, boolean old, Children children, Path log, List<String> arguments) {
        this.id = id;
        this.old = old;
        Class<?> main = old ? OldNode.class : NewNode.class;
        process = new JvmProcess(
                id,
                children,
                JvmProcess.builder(JvmProcess.small(64), main, arguments).redirectError(log.toFile()));
        process.listen(this::hear, () -> master = false);
    }

    String id() {
        return id;
    }

    boolean isOld() {
        return old;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isMaster() {
        return master && isAlive();
    }

    /** Whether it was told to end, or killed. */
    boolean isDoomed() {
        return doomed;
    }

    void awaitJoined() {
        await("joined");
    }

    /** Waits until it has said that. */
    void await(String line) {
        process.await(line, heard, PATIENCE);
    }

    /** Tells it something, and waits until it has answered with that line. */
    void tell(String command, String line) {
        heard.remove(line);
        send(command);
        await(line);
    }

    /** Whether that line was its answer to the last question; asks again if not. */
    boolean answers(String command, String line) {
        if (!heard.remove(line)) {
            send(command);
            return false;
        }
        return true;
    }

    void send(String command) {
        process.send(command);
    }

    void signal(String name) {
        process.signal(name);
    }

    /** Ends it in order; returns when it is gone. */
    void stop() {
        doomed = true;
        signal("TERM");
        process.awaitEnd(PATIENCE);
    }

    /** As {@code kill -9} does; returns when it is gone. */
    void kill() {
        doomed = true;
        process.kill();
    }

    private void hear(String line) {
        if (line.startsWith("master ")) {
            master = Boolean.parseBoolean(line.substring("master ".length()));
        } else {
            heard.add(line);
        }
    }
}
