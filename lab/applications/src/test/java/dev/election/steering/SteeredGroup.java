package dev.election.steering;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import dev.election.LossReason;
import dev.election.harness.Ports;
import dev.election.testing.SchedulerGroup;
import dev.election.testing.SchedulerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.jspecify.annotations.Nullable;

/** Processes of a {@link SchedulerGroup} that an operator steers over HTTP. */
final class SteeredGroup implements AutoCloseable {

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);

    private final SchedulerGroup schedulers;
    private final List<String> common;
    private final HttpClient http = HttpClient.newHttpClient();

    /** Of those that have not been stopped or killed, in the order of their starts. */
    private final Map<String, Integer> ports = new LinkedHashMap<>();

    private boolean hasTurn;

    /** With these arguments for each process of that main class. */
    SteeredGroup(Path folder, Class<?> application, String... common) throws IOException {
        Turn.begin();
        this.hasTurn = true;
        this.schedulers = new SchedulerGroup(folder, application, List.of());
        this.common = List.of(common);
    }

    SchedulerGroup schedulers() {
        return schedulers;
    }

    /** Starts one more with these arguments besides, and returns its id. Does not wait for it. */
    String start(String... own) {
        int port = Ports.free();
        List<String> arguments = new ArrayList<>(common);
        arguments.addAll(List.of(own));
        arguments.add("--test.shift=0");
        arguments.addAll(OverHttp.arguments(port));
        String node = schedulers.start(arguments);
        ports.put(node, port);
        return node;
    }

    /** Waits until all have started and each sees all of them take part. */
    void awaitSettled() {
        schedulers.awaitStarted();
        assertThat(schedulers.dead()).as("ended while they started").isEmpty();
        await("all see all").until(() -> nodes().stream().allMatch(node -> seenBy(node) == ports.size()));
    }

    /** Ends the turn of this group, which starts no more than one process at a time from here on. */
    void letOthersStart() throws IOException {
        if (hasTurn) {
            hasTurn = false;
            Turn.end();
        }
    }

    private long seenBy(String node) {
        DocumentContext overview = read(node, "leader");
        List<Object> taking = overview.read("$.members[?(@.leads != [] || @.candidateIn != [] || @.observes != [])]");
        boolean isComplete = overview.read("$.membersCopy.complete");
        return isComplete ? taking.size() : 0;
    }

    /** Asks it to end, and waits until it has. */
    void stop(String node) {
        SchedulerProcess process = remove(node);
        process.terminate();
        process.awaitEnd();
    }

    /** Ends it at once. */
    void kill(String node) {
        remove(node).kill();
    }

    private SchedulerProcess remove(String node) {
        ports.remove(node);
        return schedulers.remove(node);
    }

    List<String> nodes() {
        return List.copyOf(ports.keySet());
    }

    /** Another one than that. */
    String other(String node) {
        return nodes().stream().filter(each -> !each.equals(node)).findFirst().orElseThrow();
    }

    /** Waits until somebody leads. */
    String awaitLeader() {
        return await("a leader").until(this::leader, leader -> leader != null);
    }

    /** Waits until another one leads. */
    String awaitLeaderOtherThan(String node) {
        return await("another leader than " + node)
                .until(this::leader, leader -> leader != null && !leader.equals(node));
    }

    @Nullable
    String leader() {
        return schedulers.leader().map(SchedulerGroup.Leader::node).orElse(null);
    }

    /** Sends an order about one node to another one. */
    void order(String node, String state, String receiver) {
        HttpResponse<String> answer = send(
                        receiver,
                        "actuator/leader/members/" + node,
                        HttpRequest.BodyPublishers.ofString("{\"state\": \"" + state + "\"}"))
                .join();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    /** Asks for work of the leader that takes so long, and waits until it has begun. */
    CompletableFuture<HttpResponse<String>> work(String node, Duration length) {
        CompletableFuture<HttpResponse<String>> answer =
                send(node, "work?millis=" + length.toMillis(), HttpRequest.BodyPublishers.noBody());
        await("the work runs")
                .until(() -> !send(node, "work", null).join().body().equals("0"));
        return answer;
    }

    /** What it answers at that path below its endpoints. */
    DocumentContext read(String node, String path) {
        return JsonPath.parse(send(node, "actuator/" + path, null).join().body());
    }

    /** The leaderships that the store remembers, the first one first. */
    List<Leadership> history() {
        DocumentContext election = read(nodes().get(0), "leader/default");
        List<Map<String, Object>> shown = election.read("$.leaderships");
        List<Leadership> history = new ArrayList<>();
        shown.forEach(each -> history.add(0, Leadership.of(each)));
        return history;
    }

    private CompletableFuture<HttpResponse<String>> send(
            String node, String path, HttpRequest.@Nullable BodyPublisher body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + ports.get(node) + "/" + path))
                .timeout(LONGEST_ANSWER);
        if (body != null) {
            request.header("Content-Type", "application/json").POST(body);
        }
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(50));
    }

    /** Lets that time pass, where it is the time that matters. */
    static void pass(Duration time) {
        Awaitility.await().pollDelay(time).timeout(time.plusSeconds(10)).until(() -> true);
    }

    @Override
    public void close() throws IOException {
        try {
            schedulers.close();
        } finally {
            letOthersStart();
        }
    }

    /**
     * A leadership as an operator sees it.
     *
     * @param node who led
     * @param token of it
     * @param from when it began, by the clock of the store
     * @param until when it ended, {@code null} while it lasts
     * @param reason why, {@code null} while it lasts
     * @param requestedBy who asked for that; empty if nobody did
     */
    record Leadership(
            String node,
            long token,
            Instant from,
            @Nullable Instant until,
            @Nullable LossReason reason,
            String requestedBy) {

        private static Leadership of(Map<String, Object> shown) {
            Object until = shown.get("until");
            Object reason = shown.get("reason");
            Object requestedBy = shown.get("requestedBy");
            return new Leadership(
                    String.valueOf(shown.get("node")),
                    ((Number) shown.get("token")).longValue(),
                    Instant.parse(String.valueOf(shown.get("from"))),
                    until == null ? null : Instant.parse(String.valueOf(until)),
                    reason == null ? null : LossReason.valueOf(String.valueOf(reason)),
                    requestedBy == null ? "" : String.valueOf(requestedBy));
        }
    }
}
