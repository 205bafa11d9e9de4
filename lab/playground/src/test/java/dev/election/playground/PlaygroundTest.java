package dev.election.playground;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page's requests, and what they do to three processes. */
@Tag("kills-processes")
class PlaygroundTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static Redis redis;
    private static Machine machine;
    private static PlaygroundServer server;
    private static String origin;
    private static String token;

    @BeforeAll
    static void start() throws Exception {
        redis = Redis.ofOurOwn();
        machine = Machine.start(redis, new Journal(line -> {}), List.of("--election.lease=3s"));
        machine.awaitReady();
        server = PlaygroundServer.start(machine, 8090);
        origin = server.address().replaceAll("/#.*", "");
        token = server.address().replaceAll(".*#", "");
    }

    @AfterAll
    static void end() {
        server.close();
        machine.end();
        if (redis.isRunning()) {
            redis.stop();
        }
    }

    @Test
    void only_the_page_itself_may_do_something() throws Exception {
        assertThat(post("app-1/kill", origin, "0123456789abcdef0123456789abcdef"))
                .isEqualTo(403);
        assertThat(post("app-1/kill", "http://localhost:1", token)).isEqualTo(403);
        assertThat(post("app-1/kill", "null", token)).isEqualTo(403);
        assertThat(raw("POST /actions/app-1/kill", "Host: localhost:" + port(), "X-Playground-Token: " + token))
                .as("without an origin")
                .contains("403");
        assertThat(raw(
                        "POST /actions/app-1/kill",
                        "Host: rebound.example:" + port(),
                        "Origin: " + origin,
                        "X-Playground-Token: " + token))
                .as("by another name of this server")
                .contains("403");
        assertThat(raw("GET /state", "Host: localhost:" + port())).contains("403");
        assertThat(raw("GET /", "Host: rebound.example:" + port())).contains("403");
        assertThat(raw("GET /", "Host: localhost:" + port())).contains("200");
        assertThat(JsonPath.<String>read(state(), "$.replicas[0].state")).isEqualTo("RUNNING");
    }

    @Test
    void an_action_that_is_unknown_or_impossible_now_says_so() throws Exception {
        assertThat(post("app-1/dance", origin, token)).isEqualTo(404);
        assertThat(post("app-9/kill", origin, token)).isEqualTo(404);
        assertThat(post("app-1/resume", origin, token)).isEqualTo(409);
        assertThat(post("redis/start-empty", origin, token)).isEqualTo(409);
    }

    @Test
    void whatever_is_broken_somebody_leads_again_with_a_higher_token_and_no_slot_runs_twice() throws Exception {
        Leadership first = awaitLeaderAfter(0);

        act(first.node() + "/pause");
        Leadership second = awaitLeaderAfter(first.token());
        act(first.node() + "/resume");

        act(second.node() + "/cut");
        Leadership third = awaitLeaderAfter(second.token());
        act(second.node() + "/reconnect");

        act("redis/snapshot");
        act(third.node() + "/kill");
        Leadership fourth = awaitLeaderAfter(third.token());
        act(third.node() + "/start");

        act("redis/stop");
        Awaitility.await("nobody leads").atMost(SOON).until(() -> leaders().isEmpty());
        act("redis/start-old");
        Leadership fifth = awaitLeaderAfter(fourth.token());

        act("redis/stop");
        act("redis/start-empty");
        awaitLeaderAfter(fifth.token() - 1);

        assertThat(JsonPath.<Integer>read(state(), "$.slots.run")).isPositive();
        assertThat(JsonPath.<Integer>read(state(), "$.slots.twice")).isZero();
        Awaitility.await("all run")
                .atMost(Duration.ofSeconds(40))
                .until(() -> JsonPath.<List<String>>read(state(), "$.replicas[?(@.address != '')].name")
                                .size()
                        == 3);
    }

    private static Leadership awaitLeaderAfter(long token) {
        return Awaitility.await("a leader with a token above " + token)
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(100))
                .until(
                        PlaygroundTest::leaders,
                        leaders -> leaders.size() == 1 && leaders.get(0).token() > token)
                .get(0);
    }

    private static List<Leadership> leaders() throws Exception {
        String state = state();
        return JsonPath.<List<String>>read(state, "$.replicas[?(@.says.elections.default.role == 'LEADER')].name")
                .stream()
                .map(node -> new Leadership(
                        node,
                        JsonPath.<List<Long>>read(
                                        state,
                                        "$.replicas[?(@.name == '" + node + "')].says.elections.default.leader.token")
                                .get(0)))
                .toList();
    }

    private static String state() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(origin + "/state"))
                .header("X-Playground-Token", token)
                .build();
        HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer.body();
    }

    private static void act(String action) throws Exception {
        assertThat(post(action, origin, token)).as(action).isEqualTo(200);
    }

    private static int post(String action, String from, String token) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(origin + "/actions/" + action))
                .header("Origin", from)
                .header("X-Playground-Token", token)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** The status line that is answered. A client of Java chooses the header Host itself. */
    private static String raw(String request, String... headers) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port())) {
            String text = request + " HTTP/1.1\r\n" + String.join("\r\n", headers)
                    + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
        }
    }

    private static int port() {
        return URI.create(origin).getPort();
    }

    private record Leadership(String node, long token) {}
}
