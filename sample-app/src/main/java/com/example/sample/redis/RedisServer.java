package com.example.sample.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisExecProvider;

/** A Redis server on this machine. It ends when this process ends, also by {@code kill -9}. */
public final class RedisServer implements AutoCloseable {

    /**
     * A shell that waits for the end of its standard input, which this process holds open, and then kills the server. Ctrl+C in a
     * terminal ends neither: the shell ignores it, and the server, as a daemon, does not get it.
     */
    private static final String GUARD =
            """
            trap '' HUP INT TERM
            ./redis-server --daemonize yes --pidfile redis.pid --logfile redis.log --bind 127.0.0.1 --port "$1" --save ''
            cat > /dev/null
            [ -s redis.pid ] || sleep 1 # It may be starting.
            kill -9 "$(cat redis.pid)"
            rm -r "$0"
            """;

    private static final Duration LONGEST_START = Duration.ofSeconds(15);
    private static final Duration LONGEST_END = Duration.ofSeconds(5);

    private final int port;
    private final Path folder;
    private final Process guard;

    private RedisServer(int port, Path folder) throws IOException {
        this.port = port;
        this.folder = folder;
        this.guard = new ProcessBuilder("sh", "-c", GUARD, folder.toString(), Integer.toString(port))
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Starts one at the first free port from this one on. */
    public static RedisServer startFrom(int first) throws IOException, InterruptedException {
        for (int port = first; ; port++) {
            try {
                return startAt(port, null);
            } catch (BindException taken) {
                // The next one may be free.
            }
        }
    }

    /**
     * Starts one and waits until it answers.
     *
     * @param snapshot the file whose data it begins with; it begins empty without one
     * @throws BindException if the port is taken
     */
    public static RedisServer startAt(int port, @Nullable Path snapshot) throws IOException, InterruptedException {
        if (!isFree(port)) {
            throw new BindException("Port " + port + " is taken");
        }
        Path binary = unpack();
        Path folder = Files.createTempDirectory("sample-redis-");
        Files.move(binary, folder.resolve("redis-server"));
        if (snapshot != null) {
            Files.copy(snapshot, folder.resolve("dump.rdb"));
        }
        RedisServer server = new RedisServer(port, folder);
        try {
            server.awaitStart();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /** Whether any server listens there. */
    public static boolean listensAt(int port) {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return connection.isConnected();
        } catch (IOException nobodyThere) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    /** Where it writes its snapshot, and nothing else does. */
    public Path folder() {
        return folder;
    }

    /** Ends the server as {@code kill -9} does; returns when it is gone. */
    @Override
    public void close() {
        try {
            guard.getOutputStream().close();
            guard.waitFor();
            for (long begun = System.nanoTime(); !isFree(port) && !isOver(begun, LONGEST_END); pause()) {}
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Path unpack() throws IOException {
        try {
            return RedisExecProvider.defaultProvider().get().toPath();
        } catch (IllegalArgumentException otherSystem) {
            throw new IOException(
                    "there is none for this system; start one and name it by --spring.data.redis.port", otherSystem);
        }
    }

    private void awaitStart() throws IOException, InterruptedException {
        Path log = folder.resolve("redis.log");
        // The file is written when it listens: before, somebody else's server may be the one that answers.
        for (long begun = System.nanoTime(); !Files.exists(folder.resolve("redis.pid")) || !listensAt(port); pause()) {
            String told = Files.exists(log) ? Files.readString(log) : "";
            if (told.contains("Failed listening on port")) {
                throw new BindException("Port " + port + " is taken");
            }
            if (isOver(begun, LONGEST_START)) {
                throw new IOException("Redis at port " + port + " does not answer. " + told);
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static boolean isOver(long begun, Duration limit) {
        return System.nanoTime() - begun > limit.toNanos();
    }

    private static void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(20);
    }
}
