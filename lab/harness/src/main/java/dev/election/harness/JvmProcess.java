package dev.election.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A main class in a JVM of its own that is told lines on standard input, and says lines on standard output. */
public final class JvmProcess {

    /** Options of a JVM that loads thousands of classes and runs most of them once, beside many others. */
    public static final List<String> QUICK_START = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:MetaspaceSize=256m",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private final String name;
    private final Children children;
    private final Process process;
    private final Writer commands;
    private @Nullable Thread listener;

    /**
     * Starts one.
     *
     * @param name of the process, for people
     * @param children with which it ends
     * @param builder of it, see {@link #builder}; it says where the errors go
     */
    public JvmProcess(String name, Children children, ProcessBuilder builder) {
        this.name = name;
        this.children = children;
        this.process = children.launch(builder);
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
    }

    /**
     * Begins to listen to it, in a thread of its own.
     *
     * @param ear hears each line
     * @param end is run after the last line, when the process has ended
     */
    public void listen(Consumer<String> ear, Runnable end) {
        Thread thread = new Thread(() -> listenToTheEnd(ear, end), "listener-of-" + name);
        thread.setDaemon(true);
        thread.start();
        listener = thread;
    }

    /** Options for one of many on few processors. */
    public static List<String> small(int heapMegabytes) {
        List<String> options = new ArrayList<>(QUICK_START);
        options.addAll(List.of("-Xmx" + heapMegabytes + "m", "-Xss256k", "-XX:-UsePerfData"));
        return options;
    }

    /** Starts a class, on the class path of this JVM unless the options name another. */
    public static ProcessBuilder builder(List<String> options, Class<?> mainClass, List<String> arguments) {
        return new ProcessBuilder(command(options, mainClass.getName(), arguments));
    }

    /** Runs a command to its end, and returns what it printed; it has nothing to read. */
    public static String outputOf(List<String> command) {
        Process process = Children.OF_THIS_JVM.launch(new ProcessBuilder(command).redirectErrorStream(true));
        try (InputStream output = process.getInputStream()) {
            process.getOutputStream().close();
            return new String(output.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            process.destroyForcibly();
        }
    }

    /** The command that runs a class, on the class path of this JVM unless the options name another. */
    public static List<String> command(List<String> options, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        if (!options.contains("-cp")) {
            command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        }
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Tells it a line. What is said to a process that has ended, by an earlier fault perhaps and just now, is lost. */
    public void send(String line) {
        try {
            commands.write(line + "\n");
            commands.flush();
        } catch (IOException failure) {
            if (process.isAlive()) {
                throw new UncheckedIOException(failure);
            }
        }
    }

    /** Does nothing if the process has ended, which another fault at the same time may have done. */
    public void signal(String name) {
        if (process.isAlive()) {
            Children.signal(process, name);
        }
    }

    /** Ends the process as {@code kill -9} does; returns when it is gone and its last line was read. */
    public void kill() {
        children.kill(process);
        awaitLastLine();
    }

    /** Waits for an end that was asked for, and returns the exit code. */
    public int awaitEnd(Duration patience) {
        if (!endsWithin(patience)) {
            throw new IllegalStateException(name + " does not end");
        }
        awaitLastLine();
        return process.exitValue();
    }

    /** Waits for its end, and returns whether it came in time. */
    public boolean endsWithin(Duration patience) {
        try {
            return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw Wait.interrupted(e);
        }
    }

    /** Waits until its ear has heard that line; fails if the process ends before. */
    public void await(String line, Set<String> heard, Duration patience) {
        Wait.until(name + " to say '" + line + "'", patience, () -> {
            boolean isOver = !process.isAlive();
            if (isOver) {
                awaitLastLine();
            }
            if (isOver && !heard.contains(line)) {
                throw new IllegalStateException(name + " has ended by itself, after " + heard);
            }
            return heard.contains(line);
        });
    }

    private void awaitLastLine() {
        try {
            if (listener != null) {
                listener.join();
            }
        } catch (InterruptedException e) {
            throw Wait.interrupted(e);
        }
    }

    private void listenToTheEnd(Consumer<String> ear, Runnable end) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines().forEach(ear);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        end.run();
    }
}
