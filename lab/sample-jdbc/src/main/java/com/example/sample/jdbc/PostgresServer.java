package com.example.sample.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A PostgreSQL server on this machine. It ends when this process ends, also by {@code kill -9}. */
final class PostgresServer {

    /** A shell that waits for the end of its standard input, which this process holds open, and then kills the server. */
    private static final String GUARD =
            """
            trap '' HUP INT TERM
            cat > /dev/null
            [ -s data/postmaster.pid ] || sleep 1 # It may be starting.
            kill -QUIT "$(head -n 1 data/postmaster.pid)"
            sleep 1
            rm -r "$0"
            """;

    private static final Duration LONGEST_START = Duration.ofMinutes(1);

    private PostgresServer() {}

    /** Starts one at the first free port from this one on, waits until it answers, and returns the port. */
    static int startFrom(int first) throws IOException {
        int port = first;
        while (!isFree(port)) {
            port++;
        }
        Path folder = Files.createTempDirectory("sample-postgres-");
        new ProcessBuilder("sh", "-c", GUARD, folder.toString())
                .directory(folder.toFile())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        // The replicas that end in an orderly way need it for longer than a hook would leave it.
        EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(folder.resolve("data"))
                .setRegisterShutdownHook(false)
                .setPGStartupWait(LONGEST_START)
                .start();
        return port;
    }

    static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
