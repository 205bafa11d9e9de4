package dev.election.faults.world;

import dev.election.faults.history.Entry;
import dev.election.faults.history.HistoryFile;
import dev.election.faults.history.Line;
import dev.election.faults.node.NodeSettings;
import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** One life of a node, seen from outside. What it says goes to the history as it comes. */
public final class NodeProcess {

    private final String id;
    private final HistoryFile history;
    private final JvmProcess process;
    private final Set<String> ledElsewhere = ConcurrentHashMap.newKeySet();

    private volatile boolean joined;
    private volatile boolean informed;
    private volatile Entry.@Nullable Answer latest;
    private volatile Set<String> seen = Set.of();

    NodeProcess(
            String mainClass,
            @Nullable String classPath,
            NodeSettings settings,
            Children children,
            HistoryFile history,
            Path log) {
        this.id = settings.id();
        this.history = history;
        List<String> options = new ArrayList<>(JvmProcess.small(48));
        options.addAll(classPath == null ? NodeTraining.options() : List.of("-cp", classPath));
        List<String> command = JvmProcess.command(options, mainClass, settings.arguments());
        ProcessBuilder builder = new ProcessBuilder(Precedence.behind(command))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        process = new JvmProcess(id, children, builder);
        process.listen(this::hear, this::end);
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

    /** The members that it sees. */
    public Set<String> seen() {
        return seen;
    }

    /** Tells it something; lost if it has ended. */
    public void send(String command) {
        process.send(command);
    }

    /** Does nothing if it has ended. */
    public void signal(String name) {
        process.signal(name);
    }

    /** Ends the process as {@code kill -9} does; returns when it is gone. */
    public void kill() {
        process.kill();
    }

    /** Waits for an end that was asked for. */
    public void awaitEnd() {
        process.awaitEnd(Duration.ofSeconds(30));
    }

    private void hear(String line) {
        Entry entry = Line.parse(line);
        history.append(entry);
        if (entry instanceof Entry.Joined) {
            joined = true;
            Precedence.raise(process.pid());
        } else if (entry instanceof Entry.Informed) {
            informed = true;
        } else if (entry instanceof Entry.Sees sees) {
            seen = Set.copyOf(sees.members());
        } else if (entry instanceof Entry.Answer answer) {
            latest = answer;
        } else if (entry instanceof Entry.Elsewhere answer && answer.leads()) {
            ledElsewhere.add(answer.election());
        } else if (entry instanceof Entry.Elsewhere answer) {
            ledElsewhere.remove(answer.election());
        }
    }

    private void end() {
        latest = null;
        ledElsewhere.clear();
        history.append(new Entry.Ended(id, System.nanoTime()));
    }
}
