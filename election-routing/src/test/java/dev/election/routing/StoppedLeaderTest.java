package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.Wait;
import dev.election.testing.KillsProcesses;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A leader whose process stops ({@code SIGSTOP}): its kernel still takes connections and requests. */
@KillsProcesses
class StoppedLeaderTest {

    private final List<String> said = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void a_leader_that_is_stopped_delays_requests_for_a_bounded_time_and_runs_none_later() throws Exception {
        try (RedisProcess redis = new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0));
                Children children = new Children()) {
            RoutedProcess first = node("first", redis, children);
            first.start();
            awaitLine("first leads");
            RoutedProcess second = node("second", redis, children);
            second.start();
            first.awaitReady();
            second.awaitReady();
            Wait.until("requests are forwarded", RoutedProcess.PATIENCE, () -> status(second, "before") == 200);

            first.process().signal("STOP");
            long stopped = System.nanoTime();
            int status = status(second, "hangs");
            assertThat(status).isIn(503, 504);
            assertThat(Duration.ofNanos(System.nanoTime() - stopped)).isLessThan(Duration.ofSeconds(10));

            awaitLine("second leads");
            assertThat(status(second, "after")).isEqualTo(200);
            awaitLine("second ran after");
            assertThat(said)
                    .filteredOn(line -> line.startsWith("second ran after"))
                    .hasSize(1);

            first.process().signal("CONT");
            Wait.until("the first one knows who leads", RoutedProcess.PATIENCE, () -> status(first, "again") == 200);
            assertThat(said)
                    .filteredOn(line -> line.startsWith("first ran again"))
                    .isEmpty();
            assertThat(said)
                    .as("what the leader was sent while it was stopped, and read when it led no more")
                    .noneMatch(line -> line.contains(" ran hangs "));
        }
    }

    private RoutedProcess node(String id, RedisProcess redis, Children children) {
        return new RoutedProcess(
                id,
                redis.port(),
                children,
                (process, line) -> said.add(process.id() + " " + line),
                "--election.routing.timeout=1s");
    }

    private void awaitLine(String begin) {
        Wait.until(begin, RoutedProcess.PATIENCE, () -> said.stream().anyMatch(line -> line.startsWith(begin)));
    }

    private int status(RoutedProcess node, String id) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.port() + "/run/" + id))
                .timeout(Duration.ofSeconds(30))
                .build();
        try {
            HttpResponse<Void> answer = client.send(request, BodyHandlers.discarding());
            return answer.statusCode();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
