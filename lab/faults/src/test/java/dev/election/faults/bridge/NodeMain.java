package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import dev.election.faults.history.HistoryFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** What both kinds of nodes do: they record what they believe in a file of their own, and obey words on standard input. */
final class NodeMain {

    private final String id;
    private final int port;
    private final HistoryFile history;
    private final Pace pace;

    /** What a node is told at its start: its id, the port of Redis, its file, the durations, and what only its kind knows. */
    private NodeMain(String id, int port, HistoryFile history, Pace pace) {
        this.id = id;
        this.port = port;
        this.history = history;
        this.pace = pace;
    }

    static NodeMain of(String[] arguments) throws IOException {
        return new NodeMain(
                arguments[0],
                Integer.parseInt(arguments[1]),
                new HistoryFile(Path.of(arguments[2])),
                Pace.parse(List.of(arguments).subList(3, 8)));
    }

    String id() {
        return id;
    }

    int port() {
        return port;
    }

    Pace pace() {
        return pace;
    }

    void record(Entry entry) {
        history.append(entry);
    }

    @SuppressWarnings("SystemOut")
    synchronized void say(String line) {
        System.out.println(line);
    }

    /** Runs until standard input ends: a node does not outlive its harness. */
    void run(BooleanSupplier master, Runnable start, Runnable stop, Consumer<String> command) throws IOException {
        Runtime.getRuntime().addShutdownHook(new Thread(stop, "stop"));
        record(new Entry.Joined(id, System.nanoTime()));
        new MasterPoll(id, master, this::record, this::say).start();
        start.run();
        say("joined");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            command.accept(line);
        }
        Runtime.getRuntime().halt(0);
    }
}
