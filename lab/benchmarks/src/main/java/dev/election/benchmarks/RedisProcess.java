package dev.election.benchmarks;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A Redis server on loopback that keeps nothing on disk. */
final class RedisProcess {

    private final Processes processes;
    private final Path folder;
    private final Path binary;
    private final int port;
    private Process process;

    RedisProcess(Processes processes, Path folder) throws IOException, InterruptedException {
        this.processes = processes;
        this.folder = folder;
        this.binary = RedisBinary.find(folder);
        this.port = Ports.free();
        this.process = launch();
        awaitAnswer();
    }

    int port() {
        return port;
    }

    void kill() throws InterruptedException {
        processes.kill(process);
    }

    /** Starts again, empty, after a {@link #kill()}. */
    void restart() throws IOException, InterruptedException {
        process = launch();
        awaitAnswer();
    }

    /** Talks to the server over a connection of its own, which carries the name {@code observer}. */
    <T> T observe(Function<RedisCommands<String, String>, T> observation) {
        RedisClient client = RedisClient.create(
                RedisURI.builder().withHost("127.0.0.1").withPort(port).build());
        try (var connection = client.connect()) {
            connection.sync().clientSetname("observer");
            return observation.apply(connection.sync());
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    private Process launch() throws IOException {
        return processes.launch(new ProcessBuilder(
                        binary.toString(),
                        "--save",
                        "",
                        "--appendonly",
                        "no",
                        "--bind",
                        "127.0.0.1",
                        "--port",
                        Integer.toString(port),
                        "--dir",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD));
    }

    private void awaitAnswer() throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!answers()) {
            if (System.nanoTime() - deadline > 0 || !process.isAlive()) {
                throw new IllegalStateException("Redis does not start at port " + port);
            }
            TimeUnit.MILLISECONDS.sleep(2);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() == '+';
        } catch (IOException notYet) {
            return false;
        }
    }
}
