package dev.election.faults.bridge;

import dev.election.faults.world.Children;
import dev.election.faults.world.SmallJvm;
import dev.election.faults.world.Wait;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** A node of either kind, seen from outside. */
final class NodeProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String id;
    private final boolean old;
    private final Children children;
    private final Process process;
    private final Writer commands;
    private final Thread listener;
    private final Set<String> heard = ConcurrentHashMap.newKeySet();

    private volatile boolean master;
    private volatile boolean doomed;

    NodeProcess(String id, boolean old, Children children, Path log, List<String> arguments) throws IOException {
        this.id = id;
        this.old = old;
        this.children = children;
        Class<?> main = old ? OldNode.class : NewNode.class;
        List<String> command = SmallJvm.command(64, main.getName(), arguments);
        process = children.launch(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.to(log.toFile())));
        commands = process.outputWriter(StandardCharsets.UTF_8);
        listener = new Thread(this::listen, "listener-of-" + id);
        listener.setDaemon(true);
        listener.start();
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

    void awaitJoined() throws InterruptedException {
        await("joined");
    }

    /** Waits until it has said that. */
    void await(String line) throws InterruptedException {
        Wait.until(id + " to say '" + line + "'", PATIENCE, () -> {
            if (!heard.contains(line) && !isAlive()) {
                throw new IllegalStateException(id + " has ended by itself");
            }
            return heard.contains(line);
        });
    }

    /** Tells it something, and waits until it has answered with that line. */
    void tell(String command, String line) throws IOException, InterruptedException {
        heard.remove(line);
        send(command);
        await(line);
    }

    /** Whether that line was its answer to the last question; asks again if not. */
    boolean answers(String command, String line) throws IOException {
        if (!heard.remove(line)) {
            send(command);
            return false;
        }
        return true;
    }

    void send(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
    }

    void signal(String name) throws IOException, InterruptedException {
        Children.signal(process, name);
    }

    /** Ends it in order; returns when it is gone. */
    void stop() throws IOException, InterruptedException {
        doomed = true;
        signal("TERM");
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(id + " does not end");
        }
        listener.join();
    }

    /** As {@code kill -9} does; returns when it is gone. */
    void kill() throws InterruptedException {
        doomed = true;
        children.kill(process);
        listener.join();
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("master ")) {
                    master = Boolean.parseBoolean(line.substring("master ".length()));
                } else {
                    heard.add(line);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("What " + id + " says can't be read", e);
        }
        master = false;
    }
}
