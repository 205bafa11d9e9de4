package dev.election.testing;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.Awaitility;

/** A real Redis server in a process of its own, on loopback, that a test may treat badly. */
public final class RedisServer implements AutoCloseable {

    private final Path binary;
    private final int port;
    private final Path folder;
    private final List<String> options;
    private Process process;

    private RedisServer(Path binary, int port, List<String> options) {
        this.binary = binary;
        this.port = port;
        this.options = List.copyOf(options);
        this.folder = TemporaryFolders.create("election-redis-");
        this.process = launch();
    }

    /** Starts a server and waits until it answers. */
    public static RedisServer start(RedisBinary binary, String... options) {
        return start(binary.path(), options);
    }

    /** Starts that executable, which may also be a sentinel, and waits until it answers. */
    public static RedisServer start(Path binary, String... options) {
        return new RedisServer(binary, Ports.free(), List.of(options));
    }

    public static RedisServer startAt(Path binary, int port, String... options) {
        return new RedisServer(binary, port, List.of(options));
    }

    public int port() {
        return port;
    }

    public Path folder() {
        return folder;
    }

    public long pid() {
        return process.pid();
    }

    public RedisURI uri() {
        return RedisURI.create("127.0.0.1", port);
    }

    /** Runs commands over a connection that is closed afterwards. */
    public <T> T call(Function<RedisCommands<String, String>, T> commands) {
        return call(uri(), commands);
    }

    public static <T> T call(RedisURI uri, Function<RedisCommands<String, String>, T> commands) {
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return commands.apply(connection.sync());
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Over how many connections the server of that URI has been talked to. One of them is made to ask. */
    public static long connectionsMade(RedisURI uri) {
        String name = "total_connections_received:";
        return call(uri, commands -> commands.info("stats"))
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
                .findFirst()
                .orElseThrow();
    }

    /** As {@code kill -9} does. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Starts again after a {@link #kill()}, with what it had written to its disk, which by default is nothing. */
    public void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException("Still running");
        }
        process = launch();
    }

    /** Stops the process without ending it, as a hung machine. */
    public void freeze() {
        Signals.send(process.pid(), "STOP");
    }

    public void thaw() {
        Signals.send(process.pid(), "CONT");
    }

    /** What it has logged since its first start. */
    public String log() {
        try {
            return Files.readString(folder.resolve("redis.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        awaitEnd();
    }

    private Process launch() {
        List<String> command = new ArrayList<>(List.of(binary.toString()));
        if (options.stream().noneMatch(option -> option.endsWith(".conf"))) {
            command.addAll(List.of("--save", "", "--appendonly", "no", "--bind", "127.0.0.1"));
            command.addAll(List.of("--port", Integer.toString(port), "--dir", folder.toString()));
        }
        command.addAll(options);
        try {
            Process started = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            folder.resolve("redis.log").toFile()))
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
            awaitAnswer(started);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Any answer will do: a server that wants a password or is loading is there. */
    private void awaitAnswer(Process started) {
        Awaitility.await("Redis at port " + port)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    if (!started.isAlive()) {
                        throw new IllegalStateException("Redis ended: " + log());
                    }
                    return answers();
                });
    }

    private boolean answers() {
        try (java.net.Socket socket = new java.net.Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1000);
            socket.getOutputStream().write("PING\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            int first = socket.getInputStream().read();
            return first == '+' || first == '-';
        } catch (IOException notYet) {
            return false;
        } catch (RedisException notYet) {
            return false;
        }
    }

    private void awaitEnd() {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
