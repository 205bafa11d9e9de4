package dev.election.harness;

import dev.election.harness.RedisTalk.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A Redis server or Sentinel in a process of its own, on loopback, that may be treated badly. */
public class RedisProcess implements AutoCloseable {

    private static final Duration LONGEST_START = Duration.ofSeconds(20);
    private static final Duration LONGEST_REPLY = Duration.ofSeconds(2);

    private final RedisSettings settings;
    private Process process;

    /** Starts it and waits until it answers. */
    public RedisProcess(RedisSettings settings) {
        this.settings = settings;
        this.process = launch(List.of());
    }

    public int port() {
        return settings.port();
    }

    /** The password of clients; empty if there is none. */
    public String password() {
        return settings.password();
    }

    /** Where it writes. */
    public Path folder() {
        return settings.folder();
    }

    public long pid() {
        return process.pid();
    }

    /** Asks over a connection of its own. */
    public Object ask(String... command) throws IOException {
        try (RedisTalk talk = talk()) {
            return talk.ask(command);
        }
    }

    /** Sends a command as {@link #ask} does, and returns the reply as text. */
    public String text(String... command) throws IOException {
        return ask(command).toString();
    }

    /** Sends a command as {@link #ask} does, and throws an unchecked exception if there is no answer. */
    public Object order(String... command) {
        try {
            return ask(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a command that may not be answered for a while. */
    public void tell(String... command) throws IOException {
        try (RedisTalk talk = talk()) {
            talk.send(command);
        }
    }

    /** Ends the process as {@code kill -9} does; returns when it is gone. */
    public void kill() {
        settings.children().kill(process);
    }

    /** Starts again after a {@link #kill()}, with what it had written to its disk, which by default is nothing. */
    public void restart(String... more) {
        if (process.isAlive()) {
            throw new IllegalStateException("Still running");
        }
        process = launch(List.of(more));
    }

    /** Writes what it holds to its disk, and waits until that is done. */
    public void saveSnapshot() throws IOException {
        ask("BGSAVE");
        Wait.until("a snapshot", LONGEST_START, () -> {
            String state = text("INFO", "persistence");
            return state.contains("rdb_bgsave_in_progress:0") && state.contains("rdb_last_bgsave_status:ok");
        });
    }

    /** Deletes what it had written, after a {@link #kill()}. */
    public void forgetAll() throws IOException {
        try (Stream<Path> files = Files.walk(folder())) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                String name = file.getFileName().toString();
                if (name.startsWith("appendonly") || name.endsWith(".rdb")) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Stops the process without ending it, as a hung machine. */
    public void freeze() {
        Children.signal(process, "STOP");
    }

    public void thaw() {
        Children.signal(process, "CONT");
    }

    /** The log of this process since its first start. */
    public String log() {
        try {
            return Files.readString(logFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
    }

    private RedisTalk talk() throws IOException {
        return new RedisTalk(port(), LONGEST_REPLY, password());
    }

    private Process launch(List<String> more) {
        ProcessBuilder builder = new ProcessBuilder(command(more))
                .directory(folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
        builder.environment().putAll(settings.environment());
        Process launched = settings.children().launch(builder);
        Wait.until("Redis at port " + port(), LONGEST_START, () -> {
            if (!launched.isAlive()) {
                throw new IllegalStateException("Redis ended: " + log());
            }
            return answers();
        });
        return launched;
    }

    /** The name of a file has to come first; of two options the later one holds. */
    private List<String> command(List<String> more) {
        List<String> options = settings.options();
        int files = settings.isSentinel() ? 1 : 0;
        List<String> command = new ArrayList<>(List.of(settings.binary().toString()));
        command.addAll(options.subList(0, files));
        command.addAll(List.of("--bind", "127.0.0.1", "--port", Integer.toString(port())));
        command.addAll(List.of("--dir", folder().toString()));
        if (!settings.isSentinel()) {
            command.addAll(List.of("--save", "", "--appendonly", "no"));
        }
        command.addAll(options.subList(files, options.size()));
        command.addAll(more);
        return command;
    }

    /** A refusal will do: a server with other users than the default one is there. It is not while it reads what it had written. */
    private boolean answers() throws IOException {
        try {
            return text("PING").equals("PONG");
        } catch (RefusedException refusal) {
            return !refusal.isLoading();
        }
    }

    private Path logFile() {
        return folder().resolve("redis.log");
    }
}
