package dev.election.benchmarks;

import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A node in a JVM of its own, seen from outside. */
final class NodeProcess {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final String id;
    private final JvmProcess process;
    private final Journal journal;

    NodeProcess(
            Contestant contestant,
            String classPath,
            String id,
            int redisPort,
            Duration lease,
            Children children,
            Journal journal) {
        this.id = id;
        this.journal = journal;
        List<String> options = new ArrayList<>(List.of("-Xmx256m", "-cp", classPath));
        options.addAll(contestant.options());
        List<String> command = JvmProcess.command(
                options,
                contestant.mainClass(),
                List.of(id, Integer.toString(redisPort), Long.toString(lease.toMillis())));
        this.process = new JvmProcess(
                id, children, new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
        process.listen(line -> journal.add(Report.of(id, line)), () -> {});
    }

    String id() {
        return id;
    }

    void send(String command) {
        process.send(command);
    }

    /** Sends the command and waits for the report that answers it. */
    Report ask(String command, String answer) throws InterruptedException {
        return ask(command, answer, PATIENCE);
    }

    /** Sends a command and waits for its answer, for that time at most. */
    Report ask(String command, String answer, Duration patience) throws InterruptedException {
        int begin = journal.end();
        send(command);
        return journal.await(
                begin, patience, answer + " of " + id, report -> report.node().equals(id) && report.is(answer));
    }

    void signal(String name) {
        process.signal(name);
    }

    /** Ends the process as {@code kill -9} does; returns when it is gone. */
    void kill() {
        process.kill();
    }
}
