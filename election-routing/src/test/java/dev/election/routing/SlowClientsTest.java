package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.Wait;
import dev.election.testing.KillsProcesses;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Clients that take or send nothing more, within 100 MB each, through a process with a heap of 64 MB, as much memory besides, and four threads
 * for requests.
 */
@KillsProcesses
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowClientsTest {

    private static final int CLIENTS = 40;
    private static final int LARGE = 100 * 1024 * 1024;
    private static final int THREADS = 4;

    private final RedisProcess redis = new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0));
    private final Children children = new Children();
    private final RoutedProcess leader = node(
            "leader",
            "--spring.task.execution.pool.core-size=" + (CLIENTS + 10),
            "--server.tomcat.connection-timeout=10s");
    private final RoutedProcess follower = node(
            "follower",
            "--election.role=observer",
            "--election.routing.timeout=10s",
            "--server.tomcat.connection-timeout=10s",
            "--server.tomcat.threads.min-spare=" + THREADS,
            "--server.tomcat.threads.max=" + THREADS);
    private final List<Socket> clients = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private int threads;

    private RoutedProcess node(String id, String... more) {
        return new RoutedProcess(id, redis.port(), children, (process, line) -> {}, more);
    }

    @BeforeAll
    void start() throws Exception {
        leader.start();
        follower.start();
        leader.awaitReady();
        follower.awaitReady();
        Wait.until("requests are forwarded", RoutedProcess.PATIENCE, this::isServed);
    }

    @AfterEach
    void closeClients() throws IOException {
        for (Socket socket : clients) {
            socket.close();
        }
        clients.clear();
    }

    @AfterAll
    void stop() {
        children.close();
        redis.close();
    }

    @BeforeEach
    void countThreads() throws InterruptedException {
        threads = follower.load().threads();
    }

    @Test
    void clients_that_do_not_read_hold_no_thread_and_are_broken_off() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            Socket socket = connect("GET /run/reader-" + i + "?size=" + LARGE, "");
            assertThat(new String(socket.getInputStream().readNBytes(12), StandardCharsets.ISO_8859_1))
                    .isEqualTo("HTTP/1.1 200");
        }
        othersAreServed();
        awaitNoWork();
        assertThat(rests()).hasSize(CLIENTS).allSatisfy(rest -> assertThat(rest).isLessThan(LARGE));
    }

    @Test
    void clients_that_do_not_write_hold_no_thread_and_are_broken_off() throws Exception {
        for (int i = 0; i < CLIENTS; i++) {
            connect("POST /run/writer-" + i, "Content-Length: " + LARGE + "\r\n")
                    .getOutputStream()
                    .write(new byte[100_000]);
        }
        Wait.until("all have reached the leader", RoutedProcess.PATIENCE, () -> work() == CLIENTS);
        othersAreServed();
        awaitNoWork();
        assertThat(rests()).hasSize(CLIENTS).allSatisfy(rest -> assertThat(rest).isLessThan(1_000));
    }

    private void othersAreServed() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(isServed()).isTrue();
        }
        assertThat(work()).as("the clients are still there").isGreaterThan(CLIENTS / 2);
        // One that waits for a time limit may come besides.
        assertThat(follower.load().threads()).isLessThanOrEqualTo(threads + THREADS);
    }

    private void awaitNoWork() {
        Wait.until("the leader has no work any more", RoutedProcess.PATIENCE, () -> work() == 0);
    }

    private int work() {
        try {
            return leader.load().work();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private boolean isServed() {
        URI uri = URI.create("http://127.0.0.1:" + follower.port() + "/run/other");
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build();
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Socket connect(String line, String headers) throws IOException {
        Socket socket = new Socket();
        clients.add(socket);
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(60_000);
        socket.connect(new InetSocketAddress("127.0.0.1", follower.port()));
        socket.getOutputStream()
                .write((line + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** Reads all connections to their ends at the same time, since each has small buffers. Returns the sizes. */
    private List<Long> rests() throws Exception {
        ExecutorService readers = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Callable<Long>> reads = new ArrayList<>();
            clients.forEach(socket -> reads.add(() -> rest(socket)));
            List<Long> rests = new ArrayList<>();
            for (Future<Long> read : readers.invokeAll(reads)) {
                rests.add(read.get());
            }
            return rests;
        } finally {
            readers.shutdownNow();
        }
    }

    /** How much comes until the end of the connection. */
    private static long rest(Socket socket) throws IOException {
        long[] size = {0};
        OutputStream counter = new OutputStream() {
            @Override
            public void write(int one) {
                size[0]++;
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                size[0] += length;
            }
        };
        try {
            socket.getInputStream().transferTo(counter);
        } catch (SocketTimeoutException hangs) {
            throw hangs;
        } catch (IOException reset) {
            // An end, too.
        }
        return size[0];
    }
}
