package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.Wait;
import dev.election.testing.KillsProcesses;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What a forward adds to a small request: two processes, which a client asks in turn over one connection each. Prints the figures of
 * lab/applications/README.md with {@code -Delection.test.pairs=20000} on a machine that does nothing else.
 */
@KillsProcesses
class ForwardedCostTest {

    private static final List<String> USUAL = List.of("-Xmx256m");

    private static final byte[] REQUEST =
            "GET /small HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final int pairs = Integer.getInteger("election.test.pairs", 300);

    @Test
    void a_forward_adds_little_to_a_small_request() throws Exception {
        try (RedisProcess redis = new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0));
                Children children = new Children()) {
            RoutedProcess leader = node("leader", redis, children);
            RoutedProcess follower = node("follower", redis, children, "--election.role=observer");
            leader.start(USUAL);
            follower.start(USUAL);
            leader.awaitReady();
            follower.awaitReady();
            Wait.until("requests are forwarded", RoutedProcess.PATIENCE, () -> isServed(follower));
            try (Socket direct = connect(leader);
                    Socket forwarded = connect(follower)) {
                measure(direct, forwarded);
            }
        }
    }

    /** A server closes the connection when it refuses a request. */
    private static boolean isServed(RoutedProcess node) throws IOException {
        try (Socket socket = connect(node)) {
            return ask(socket).startsWith("HTTP/1.1 200");
        }
    }

    private void measure(Socket direct, Socket forwarded) throws IOException {
        long[] directly = new long[pairs];
        long[] byForward = new long[pairs];
        // The first half only warms the processes up.
        for (int i = -pairs; i < pairs; i++) {
            long before = System.nanoTime();
            assertThat(ask(direct)).startsWith("HTTP/1.1 200");
            long between = System.nanoTime();
            assertThat(ask(forwarded)).startsWith("HTTP/1.1 200");
            long after = System.nanoTime();
            if (i >= 0) {
                directly[i] = between - before;
                byForward[i] = after - between;
            }
        }
        Arrays.sort(directly);
        Arrays.sort(byForward);
        print("direct", directly);
        print("forwarded", byForward);
        // On a busy machine all takes longer. An acknowledgement that one side waits for and the other one delays costs
        // 40 ms on any.
        assertThat(byForward[pairs / 2]).isLessThan(10 * directly[pairs / 2] + TimeUnit.MILLISECONDS.toNanos(5));
    }

    private static void print(String name, long[] sorted) {
        System.out.printf(
                Locale.ROOT,
                "%s: median %.3f ms, of ten the slowest %.3f ms, of a hundred %.3f ms%n",
                name,
                sorted[sorted.length / 2] / 1e6,
                sorted[sorted.length * 9 / 10] / 1e6,
                sorted[sorted.length * 99 / 100] / 1e6);
    }

    private static RoutedProcess node(String id, RedisProcess redis, Children children, String... more) {
        String[] arguments = Arrays.copyOf(more, more.length + 1);
        arguments[more.length] = "--server.tomcat.max-keep-alive-requests=-1";
        return new RoutedProcess(id, redis.port(), children, (process, line) -> {}, arguments);
    }

    private static Socket connect(RoutedProcess node) throws IOException {
        Socket socket = new Socket("127.0.0.1", node.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        return socket;
    }

    /** The answer ends with "ok", or with the brace of a problem. */
    private static String ask(Socket socket) throws IOException {
        socket.getOutputStream().write(REQUEST);
        byte[] part = new byte[2048];
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        String text = "";
        while (!text.endsWith("\r\n\r\nok") && !text.endsWith("}")) {
            int length = socket.getInputStream().read(part);
            if (length < 0) {
                throw new IOException("No whole answer: " + text);
            }
            all.write(part, 0, length);
            text = all.toString(StandardCharsets.ISO_8859_1);
        }
        return text;
    }
}
