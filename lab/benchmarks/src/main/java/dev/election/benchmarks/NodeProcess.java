package dev.election.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A node in a JVM of its own, seen from outside. */
final class NodeProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final String id;
    private final Processes processes;
    private final Process process;
    private final Writer commands;
    private final Journal journal;

    NodeProcess(
            Contestant contestant,
            String classPath,
            String id,
            int redisPort,
            Duration lease,
            Processes processes,
            Journal journal)
            throws IOException {
        this.id = id;
        this.processes = processes;
        this.journal = journal;
        List<String> words = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-Xmx256m"));
        words.addAll(contestant.options());
        words.addAll(List.of(
                "-cp",
                classPath,
                contestant.mainClass(),
                id,
                Integer.toString(redisPort),
                Long.toString(lease.toMillis())));
        this.process = processes.launch(new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT));
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "reports-of-" + id);
        reader.setDaemon(true);
        reader.start();
    }

    String id() {
        return id;
    }

    void send(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
    }

    /** Sends the command and waits for the report that answers it. */
    Report ask(String command, String answer) throws IOException, InterruptedException {
        return ask(command, answer, PATIENCE);
    }

    /** The same with another patience. */
    Report ask(String command, String answer, Duration patience) throws IOException, InterruptedException {
        int begin = journal.end();
        send(command);
        return journal.await(
                begin, patience, answer + " of " + id, report -> report.node().equals(id) && report.is(answer));
    }

    void signal(String name) throws IOException, InterruptedException {
        Processes.signal(process, name);
    }

    /** As {@code kill -9} does; returns when the process is gone. */
    void kill() throws InterruptedException {
        processes.kill(process);
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                journal.add(Report.of(id, line));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
