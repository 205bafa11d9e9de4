package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.Wait;
import dev.election.testing.KillsProcesses;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpMethod;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;

/**
 * Three processes with a heap of 64 MB behind a client that asks one after the other, while leadership moves and leaders are killed. More of it
 * with {@code -Delection.test.requests}, {@code .moves} and {@code .kills}, and on {@code jetty} or {@code netty} with {@code .server}.
 */
@KillsProcesses
class RoutedProcessesTest {

    private static final int NODES = 3;
    private static final int WORKERS = 8;

    /** Of each worker between two requests: a process that starts needs a share of the processors. */
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final int LARGE = 100 * 1024 * 1024;
    /** No request may take longer: two waits for a leader and the transfer of a large body on a busy machine. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final int requests = Integer.getInteger("election.test.requests", 1_000);
    private final int moves = Integer.getInteger("election.test.moves", 3);
    private final int kills = Integer.getInteger("election.test.kills", 2);
    private final String server = System.getProperty("election.test.server", "tomcat");

    /** Where each request ran, by its id, as "node token". */
    private final Map<String, List<String>> runs = new ConcurrentHashMap<>();

    private final Map<String, String> answers = new ConcurrentHashMap<>();

    private final AtomicLong longestNanos = new AtomicLong();

    /** Who was granted each token. */
    private final ConcurrentSkipListMap<Long, RoutedProcess> leaders = new ConcurrentSkipListMap<>();

    private final Set<String> twiceGranted = ConcurrentHashMap.newKeySet();

    private final HttpClient client = HttpClient.create().disableRetry(true).responseTimeout(LONGEST);

    @Test
    void each_request_runs_at_most_once_on_a_node_that_leads_and_gets_an_answer() throws Exception {
        try (RedisProcess redis = new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0));
                Children children = new Children()) {
            List<RoutedProcess> nodes = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(
                        new RoutedProcess("node-" + i, redis.port(), children, this::hear, "--node.server=" + server));
            }
            nodes.forEach(RoutedProcess::start);
            nodes.forEach(RoutedProcess::awaitReady);
            Wait.until("somebody leads", RoutedProcess.PATIENCE, () -> !leaders.isEmpty());

            AtomicBoolean isOver = new AtomicBoolean();
            AtomicInteger next = new AtomicInteger();
            ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
            for (int i = 0; i < WORKERS; i++) {
                workers.execute(() -> {
                    // At least so many, and as long as something breaks.
                    for (int n = next.getAndIncrement(); n < requests || !isOver.get(); n = next.getAndIncrement()) {
                        send(n, nodes);
                        LockSupport.parkNanos(PAUSE.toNanos());
                    }
                });
            }
            breakThings(nodes);
            isOver.set(true);
            workers.shutdown();
            assertThat(workers.awaitTermination(5, TimeUnit.MINUTES))
                    .as("no request hangs")
                    .isTrue();
            // Each call returns when the last line of the process was heard.
            nodes.forEach(node -> node.process().kill());
        }
        judge();
    }

    private void breakThings(List<RoutedProcess> nodes) {
        for (int i = 0; i < Math.max(moves, kills); i++) {
            if (i < moves) {
                long before = leaders.lastKey();
                leaders.lastEntry().getValue().process().send("abdicate");
                Wait.until("leadership has moved", RoutedProcess.PATIENCE, () -> leaders.lastKey() > before);
            }
            if (i < kills) {
                long before = leaders.lastKey();
                RoutedProcess killed = leaders.lastEntry().getValue();
                killed.process().kill();
                Wait.until("another one leads", RoutedProcess.PATIENCE, () -> leaders.lastKey() > before);
                killed.start();
                nodes.forEach(RoutedProcess::awaitReady);
            }
        }
    }

    private void send(int number, List<RoutedProcess> nodes) {
        String id = Integer.toString(number);
        HttpMethod method = List.of(HttpMethod.GET, HttpMethod.POST, HttpMethod.PUT, HttpMethod.DELETE)
                .get(number % 4);
        // Each size comes with each method.
        boolean isLarge = number % 501 == 7;
        int size = isLarge ? LARGE : number % 51 == 3 ? 1024 * 1024 : 100;
        String answer = "unreachable";
        long begun = System.nanoTime();
        // A balancer goes on to the next replica when one does not listen.
        for (int tries = 0; tries < NODES && answer.equals("unreachable"); tries++) {
            answer = ask(nodes.get((number + tries) % NODES), method, id, size);
        }
        longestNanos.accumulateAndGet(System.nanoTime() - begun, Math::max);
        answers.put(id, answer);
    }

    private String ask(RoutedProcess node, HttpMethod method, String id, int size) {
        boolean hasBody = method.equals(HttpMethod.POST) || method.equals(HttpMethod.PUT);
        int answered = hasBody ? 10 : size;
        HttpClient.ResponseReceiver<?> asked = client.headers(headers -> {
                    if (hasBody) {
                        headers.set("Content-Length", size);
                    }
                })
                .request(method)
                .uri("http://127.0.0.1:" + node.port() + "/run/" + id + "?size=" + answered)
                .send(hasBody ? body(size) : Flux.empty());
        try {
            return asked.responseSingle(
                            (response, content) -> asked(response.status().code(), answered, content))
                    .block(LONGEST);
        } catch (IllegalStateException hangs) {
            return "hangs";
        } catch (RuntimeException failure) {
            return failure.getCause() instanceof ConnectException ? "unreachable" : "broken";
        }
    }

    private static Mono<String> asked(int status, int size, reactor.netty.ByteBufMono content) {
        return content.asByteArray()
                .map(body -> body.length)
                .defaultIfEmpty(0)
                .map(length -> status == 200 && length != size ? "short" : Integer.toString(status));
    }

    private static Flux<ByteBuf> body(int size) {
        int part = 8192;
        return Flux.range(0, (size + part - 1) / part)
                .map(i -> Unpooled.wrappedBuffer(new byte[Math.min(part, size - i * part)]));
    }

    private void judge() {
        Map<String, Integer> counts = new TreeMap<>();
        answers.values().forEach(answer -> counts.merge(answer, 1, Integer::sum));
        System.out.println("Answers to " + answers.size() + " requests: " + counts + ", leaderships: " + leaders.size()
                + ", the longest took " + TimeUnit.NANOSECONDS.toMillis(longestNanos.get()) + " ms");

        assertThat(twiceGranted).as("tokens granted twice").isEmpty();
        runs.forEach((id, where) -> {
            assertThat(where)
                    .as("request %s ran more than once; it was answered %s", id, answers.get(id))
                    .hasSize(1);
            String[] parts = where.get(0).split(" ");
            RoutedProcess granted = leaders.get(Long.parseLong(parts[1]));
            assertThat(granted).as("request %s ran under %s", id, where).isNotNull();
            assertThat(granted.id())
                    .as("request %s ran under a token of another node", id)
                    .isEqualTo(parts[0]);
        });
        answers.forEach((id, answer) -> {
            assertThat(answer).as("request %s", id).isIn("200", "502", "503", "504", "broken");
            if (answer.equals("200")) {
                assertThat(runs).as("request %s was answered and has run", id).containsKey(id);
            }
            if (answer.equals("503")) {
                assertThat(runs)
                        .as("request %s was said not to be carried out", id)
                        .doesNotContainKey(id);
            }
        });
        assertThat(counts.getOrDefault("200", 0)).isGreaterThan(answers.size() / 2);
        assertThat(leaders.size()).isGreaterThan(moves + kills);
    }

    private void hear(RoutedProcess node, String line) {
        String[] words = line.split(" ");
        if (words[0].equals("leads") && leaders.put(Long.parseLong(words[1]), node) != null) {
            twiceGranted.add(words[1]);
        }
        if (words[0].equals("ran")) {
            runs.computeIfAbsent(words[1], unseen -> Collections.synchronizedList(new ArrayList<>()))
                    .add(node.id() + " " + words[2]);
        }
    }
}
