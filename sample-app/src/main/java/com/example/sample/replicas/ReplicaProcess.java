package com.example.sample.replicas;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A replica of the sample in a process of its own. */
public final class ReplicaProcess {

    /** The line that {@link ReplicaConfiguration} logs, with the address. */
    private static final Pattern READY = Pattern.compile(" is process \\d+ and answers at (http://\\S+)$");

    /** Spring's own pattern repeats what all lines have in common. */
    private static final String LOG_PATTERN = "%d{HH:mm:ss.SSS} %-5p %-20logger{0} : %m%n";

    /** For a process that runs most of its code once, beside others on few processors. */
    private static final List<String> JAVA_OPTIONS = List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            "-Xmx128m");

    private final String name;
    private final Process process;
    private final CompletableFuture<Optional<String>> address = new CompletableFuture<>();
    private final Thread reader;

    private ReplicaProcess(String name, Process process, Consumer<String> output) {
        this.name = name;
        this.process = process;
        this.reader = new Thread(() -> read(output), "output-of-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts one and returns at once. It ends when this process ends.
     *
     * @param name which it also has as a node
     * @param redisPort of a Redis on this machine, or 0 if the arguments name one
     * @param arguments of the application
     * @param output hears each line that it prints
     */
    public static ReplicaProcess start(
            String name, Path classPathFile, int redisPort, List<String> arguments, Consumer<String> output)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JAVA_OPTIONS);
        // Not as arguments, which take precedence over these.
        command.add("-D" + ReplicaConfiguration.NAME + "=" + name);
        command.add("-Delection.node.id=" + name);
        command.add("-Dserver.port=8080");
        command.add("-Dspring.main.banner-mode=off");
        command.add("-Dlogging.pattern.console=" + LOG_PATTERN);
        if (redisPort > 0) {
            command.add("-Dspring.data.redis.port=" + redisPort);
        }
        command.addAll(List.of("@" + classPathFile, Replica.class.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new ReplicaProcess(name, process, output);
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Where it answers, once it does; empty if it ends before. */
    public CompletableFuture<Optional<String>> address() {
        return address;
    }

    /** Ends the process as {@code kill -9} does; returns when all of its output has been read. */
    public void kill() throws InterruptedException {
        // Not of the process itself, which would throw away what nobody has read.
        process.toHandle().destroyForcibly();
        awaitEnd();
    }

    /** Asks it to end in an orderly way. */
    public void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void awaitEnd() throws InterruptedException {
        process.waitFor();
        reader.join();
    }

    public boolean hasEndedWithin(Duration patience) throws InterruptedException {
        return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void read(Consumer<String> output) {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.accept(line);
                Matcher ready = READY.matcher(line);
                if (ready.find()) {
                    address.complete(Optional.of(ready.group(1)));
                }
            }
        } catch (IOException closed) {
            // It has ended.
        }
        address.complete(Optional.empty());
    }
}
