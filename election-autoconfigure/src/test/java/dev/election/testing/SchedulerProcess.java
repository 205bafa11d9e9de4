package dev.election.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A scheduler in a JVM of its own, which writes down each firing in a file that all processes share. */
public final class SchedulerProcess implements AutoCloseable {

    private final Process process;

    private SchedulerProcess(Process process) {
        this.process = process;
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
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(history.resolveSibling(node + ".log").toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            return new SchedulerProcess(process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
        Signals.send(process.pid(), "STOP");
    }

    /** Lets it go on. */
    public void thaw() {
        Signals.send(process.pid(), "CONT");
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
