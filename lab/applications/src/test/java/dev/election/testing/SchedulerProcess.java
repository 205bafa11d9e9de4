package dev.election.testing;

import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** A scheduler in a JVM of its own, which writes down each firing in a file that all processes share. */
public final class SchedulerProcess implements AutoCloseable {

    /** Of a dozen that start together on two processors each takes half a minute. */
    static final Duration LONGEST_START = Duration.ofSeconds(120);

    private final JvmProcess process;
    private final Path log;
    private final String startedLine;
    private boolean started;
    private boolean frozen;

    private SchedulerProcess(JvmProcess process, Path log, Class<?> application) {
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
        List<String> options = new ArrayList<>(JvmProcess.QUICK_START);
        options.add("-Xmx128m");
        List<String> all = new ArrayList<>(List.of(
                "--spring.data.redis.port=" + redisPort, "--election.node.id=" + node, "--test.history=" + history));
        all.addAll(arguments);
        Path log = history.resolveSibling(node + ".log");
        ProcessBuilder builder = JvmProcess.builder(SchedulerTraining.CLASSES.with(options), application, all)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        return new SchedulerProcess(new JvmProcess(node, Children.OF_THIS_JVM, builder), log, application);
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
        process.kill();
    }

    /** Asks it to end. */
    public void terminate() {
        process.signal("TERM");
    }

    /** Stops it where it is. */
    public void freeze() {
        frozen = true;
        process.signal("STOP");
    }

    /** Lets it go on. */
    public void thaw() {
        process.signal("CONT");
        frozen = false;
    }

    /** Whether it has not ended. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for its end. */
    public void awaitEnd() {
        process.awaitEnd(Duration.ofSeconds(20));
    }

    @Override
    public void close() {
        kill();
    }
}
