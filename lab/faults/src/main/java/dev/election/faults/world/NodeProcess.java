package dev.election.faults.world;

import dev.election.faults.history.Entry;
import dev.election.faults.history.HistoryFile;
import dev.election.faults.history.Line;
import dev.election.faults.node.NodeSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One life of a node, seen from outside. What it says goes to the history as it comes. */
public final class NodeProcess {

    private final String id;
    private final Children children;
    private final HistoryFile history;
    private final Process process;
    private final Writer commands;
    private final Thread listener;
    private final Set<String> ledElsewhere = ConcurrentHashMap.newKeySet();

    private volatile boolean joined;
    private volatile boolean informed;
    private volatile Entry.@Nullable Answer latest;

    NodeProcess(String mainClass, NodeSettings settings, Children children, HistoryFile history, Path log)
            throws IOException {
        this.id = settings.id();
        this.children = children;
        this.history = history;
        List<String> command = SmallJvm.command(48, mainClass, settings.arguments());
        process = children.launch(new ProcessBuilder(Precedence.behind(command))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile())));
        commands = process.outputWriter(StandardCharsets.UTF_8);
        listener = new Thread(this::listen, "listener-of-" + id);
        listener.setDaemon(true);
        listener.start();
    }

    public String id() {
        return id;
    }

    public boolean isJoined() {
        return joined;
    }

    /** Whether it takes part and knows who leads. */
    public boolean isReady() {
        if (!process.isAlive()) {
            throw new IllegalStateException(id + " has ended by itself");
        }
        return joined && informed;
    }

    public boolean leads() {
        Entry.Answer answer = latest;
        return answer != null && answer.leads() && process.isAlive();
    }

    /** The other elections that it leads. */
    public Set<String> ledElsewhere() {
        return process.isAlive() ? Set.copyOf(ledElsewhere) : Set.of();
    }

    /** Whether it has answered that it leads when it was asked at that time or later, and has not said otherwise since. */
    public boolean leadsSince(long time) {
        Entry.Answer answer = latest;
        return leads() && answer != null && answer.askedAt() - time >= 0;
    }

    /** What is said to a process that has ended, by an earlier fault perhaps and just now, is lost. */
    public void send(String command) throws IOException {
        try {
            commands.write(command + "\n");
            commands.flush();
        } catch (IOException failure) {
            if (process.isAlive()) {
                throw failure;
            }
        }
    }

    /** Does nothing if the process has ended, which another fault at the same time may have done. */
    public void signal(String name) throws IOException, InterruptedException {
        if (process.isAlive()) {
            Children.signal(process, name);
        }
    }

    /** As {@code kill -9} does; returns when the process is gone. */
    public void kill() throws InterruptedException {
        children.kill(process);
        listener.join();
    }

    /** Waits for an end that was asked for. */
    public void awaitEnd() throws InterruptedException {
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException(id + " does not end");
        }
        listener.join();
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Entry entry = Line.parse(line);
                history.append(entry);
                if (entry instanceof Entry.Joined) {
                    joined = true;
                    Precedence.raise(process.pid());
                } else if (entry instanceof Entry.Informed) {
                    informed = true;
                } else if (entry instanceof Entry.Answer answer) {
                    latest = answer;
                } else if (entry instanceof Entry.Elsewhere answer && answer.leads()) {
                    ledElsewhere.add(answer.election());
                } else if (entry instanceof Entry.Elsewhere answer) {
                    ledElsewhere.remove(answer.election());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("What " + id + " says can't be read", e);
        }
        latest = null;
        ledElsewhere.clear();
        history.append(new Entry.Ended(id, System.nanoTime()));
    }
}
