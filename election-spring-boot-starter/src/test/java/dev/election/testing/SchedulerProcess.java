package dev.election.testing;

import dev.election.harness.Children;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A scheduler in a JVM of its own, which writes down each firing in a file that all processes share. */
public final class SchedulerProcess implements AutoCloseable {

    /** Of a dozen that start together on two processors each takes half a minute. */
    static final Duration LONGEST_START = Duration.ofSeconds(120);

    private final Process process;
    private final Path log;
    private final String startedLine;
    private boolean started;
    private boolean frozen;

    private SchedulerProcess(Process process, Path log, Class<?> application) {
        this.process = process;
        this.log = log;
        this.startedLine = "Started " + application.getSimpleName() + " in ";
    }

    /**
     * Starts one and returns at once.
     *
     * @param redisPort where its Redis is
     * @param node its id
     * @param history where it writes
     * @param application its main class
     * @param arguments what else to tell it
     */
    static SchedulerProcess start(
            int redisPort, String node, Path history, Class<?> application, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JavaProcess.QUICK_START);
        command.add("-Xmx128m");
        command.addAll(ClassArchive.options());
        command.add(application.getName());
        command.add("--spring.data.redis.port=" + redisPort);
        command.add("--election.node.id=" + node);
        command.add("--test.history=" + history);
        command.addAll(arguments);
        Path log = history.resolveSibling(node + ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new SchedulerProcess(process, log, application);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for its application to start, unless the process has ended or is frozen: what it does after that has a bound of its own. */
    void awaitStarted() {
        if (!started) {
            Awaitility.await("the start of " + log)
                    .atMost(LONGEST_START)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> frozen
                            || !process.isAlive()
                            || Files.readString(log).contains(startedLine));
            started = !frozen;
        }
    }

    /** Ends it at once. */
    public void kill() {
        process.destroyForcibly();
    }

    /** Asks it to end. */
    public void terminate() {
        process.destroy();
    }

    /** Stops it where it is. */
    public void freeze() {
        frozen = true;
        Children.signal(process, "STOP");
    }

    /** Lets it go on. */
    public void thaw() {
        Children.signal(process, "CONT");
        frozen = false;
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for its end. */
    public void awaitEnd() throws InterruptedException {
        if (!process.waitFor(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Process " + process.pid() + " does not end");
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
