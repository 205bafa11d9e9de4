package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Child processes, none of which outlives this object or this JVM. */
public final class Children implements AutoCloseable {

    /** Children that are ended one by one, or by the end of this JVM. */
    public static final Children OF_THIS_JVM = new Children();

    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final Thread atExit = new Thread(() -> running.forEach(Process::destroyForcibly));

    public Children() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Starts one that ends with this object. */
    public Process launch(ProcessBuilder builder) {
        try {
            Process process = builder.start();
            running.add(process);
            var unused = process.onExit().thenRun(() -> running.remove(process));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Ends a process as {@code kill -9} does; returns when it is gone. Not by {@code Process.destroyForcibly()}, which throws away
     * output that nobody has read.
     */
    public void kill(Process process) {
        process.toHandle().destroyForcibly();
        await(process);
    }

    /** Runs a program to its end, and fails with what it says if it fails. */
    public static void run(ProcessBuilder builder) {
        String unused = ask(builder);
    }

    /** Runs a program to its end, and fails with what it says if it fails. Returns what it says. */
    public static String ask(ProcessBuilder builder) {
        try {
            Process process = builder.redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int exit = await(process);
            if (exit != 0) {
                throw new IllegalStateException(
                        String.join(" ", builder.command()) + " ended with " + exit + ": " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a signal, such as {@code STOP}. */
    public static void signal(Process process, String name) {
        signal(process.pid(), name);
    }

    /** Sends a signal to a process, or to a group of processes, whose number is negative. Returns when a process that it stops has stopped. */
    public static void signal(long target, String name) {
        try {
            int exit = await(new ProcessBuilder("kill", "-s", name, "--", Long.toString(target))
                    .inheritIO()
                    .start());
            if (exit != 0) {
                throw new IllegalStateException("kill -s " + name + " " + target + " ended with " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (name.equals("STOP")) {
            Path threads = Path.of("/proc", Long.toString(target), "task");
            Wait.until("the stop of " + target, LONGEST_STOP, () -> haveStopped(threads));
        }
    }

    /** Whether no thread runs any more: one on another processor may do so after the signal was sent. */
    private static boolean haveStopped(Path threads) throws IOException {
        try (Stream<Path> all = Files.list(threads)) {
            for (Path thread : all.toList()) {
                String stat = Files.readString(thread.resolve("stat"));
                if ("RSD".indexOf(stat.charAt(stat.lastIndexOf(')') + 2)) >= 0) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException gone) {
            return true;
        }
    }

    @Override
    public void close() {
        running.forEach(this::kill);
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // The hook runs already.
            return;
        }
    }

    private static int await(Process process) {
        try {
            return process.waitFor();
        } catch (InterruptedException e) {
            throw Wait.interrupted(e);
        }
    }
}
