package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.harness.Wait;
import dev.election.routing.Replicas.Replica;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.handler.codec.http.HttpMethod;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.web.client.RestClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a client sees of replicas, whichever server they have. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RoutingContract {

    /** Follows the last part of a multipart body. Who reads the parts leaves it, as it is more than is read at once. */
    static final String UNREAD = " ".repeat(20_000);

    final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    @AutoClose
    Replicas replicas;

    abstract Replicas replicas();

    @BeforeAll
    void start() {
        replicas = replicas().start(2);
    }

    /** The client of the test before may have seen the end of its response first. */
    @BeforeEach
    void nothingIsUnderWay() {
        replicas.all().forEach(replica -> replica.awaitNoWork(Duration.ofSeconds(10)));
    }

    @Test
    void the_leader_serves_a_request_under_its_token_wherever_it_arrives() throws Exception {
        for (Replica replica : replicas.all()) {
            JsonNode said = echo(get(replica, "/echo/some?a=b"));
            assertThat(said.get("node").asString()).isEqualTo(replicas.leader().id());
            assertThat(said.get("token").asLong())
                    .isEqualTo(replicas.leader()
                            .election()
                            .leadership()
                            .orElseThrow()
                            .token()
                            .value());
        }
    }

    @Test
    void what_is_not_routed_is_served_where_it_arrives() throws Exception {
        for (Replica replica : replicas.all()) {
            assertThat(get(replica, "/anywhere").body()).isEqualTo(replica.id());
            assertThat(get(replica, "/nowhere").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void paths_of_properties_are_routed_too() throws Exception {
        for (String path :
                List.of("/admin/anything", "/%61dmin/anything", "/admin;a=1/anything", "/admin/anythin%67")) {
            assertThat(get(replicas.follower(), path).body())
                    .as(path)
                    .isEqualTo(replicas.leader().id());
        }
    }

    @Test
    void a_refused_request_names_the_leader() throws Exception {
        HttpResponse<String> answer = get(replicas.follower(), "/refuse");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(json(answer.body()).get("leader").asString())
                .isEqualTo(replicas.leader().id());
        assertThat(get(replicas.leader(), "/refuse").body())
                .isEqualTo(replicas.leader().id());
    }

    @Test
    void a_redirect_goes_to_the_public_uri_of_the_leader() throws Exception {
        HttpResponse<String> answer = get(replicas.follower(), "/redirect/here%20there?x=1&y=%20");

        assertThat(answer.statusCode()).isEqualTo(307);
        assertThat(answer.headers().firstValue("Location"))
                .hasValue("http://public-" + replicas.leader().id()
                        + ".example.org/base/redirect/here%20there?x=1&y=%20");
    }

    @Test
    void any_method_is_forwarded_with_its_headers_its_query_and_its_body() throws Exception {
        for (String method : List.of("GET", "POST", "PUT", "PATCH", "DELETE", "QUERY")) {
            JsonNode said = echo(send(request(replicas.follower(), "/echo/a%20b;c=d/?x=%2F&y")
                    .header("Authorization", basic("user", "secret"))
                    .header("Cookie", "a=b; c=d")
                    .header("X-Several", "1")
                    .header("X-Several", "2")
                    .method(method, text("body of " + method))));

            assertThat(said.get("method").asString()).isEqualTo(method);
            assertThat(said.get("path").asString()).isEqualTo("/echo/a%20b;c=d/");
            assertThat(said.get("query").asString()).isEqualTo("x=%2F&y");
            assertThat(said.get("body").asString()).isEqualTo("body of " + method);
            JsonNode headers = said.get("headers");
            assertThat(headers.get("authorization").asString()).isEqualTo(basic("user", "secret"));
            assertThat(headers.get("cookie").asString()).isEqualTo("a=b; c=d");
            assertThat(headers.get("x-several").asString()).isEqualTo("1|2");
            assertThat(headers.get("host").asString())
                    .isEqualTo("127.0.0.1:" + replicas.follower().port());
        }
    }

    @Test
    void a_body_of_unknown_length_is_forwarded_with_any_method() throws Exception {
        for (String method : List.of("POST", "DELETE")) {
            HttpResponse<String> answer = send(request(replicas.follower(), "/upload")
                    .method(method, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[100_000]))));
            assertThat(answer.body()).isEqualTo(summary(100_000));
        }
    }

    @Test
    void a_body_over_http2_is_forwarded_with_any_method() {
        for (String method : List.of("GET", "POST", "DELETE", "QUERY")) {
            JsonNode said = json(overHttp2(HttpMethod.valueOf(method), "/echo/x", "text/plain", "body of " + method));
            assertThat(said.get("node").asString()).isEqualTo(replicas.leader().id());
            assertThat(said.get("method").asString()).isEqualTo(method);
            assertThat(said.get("body").asString()).isEqualTo("body of " + method);
        }
    }

    private static reactor.netty.http.client.HttpClient http2() {
        return reactor.netty.http.client.HttpClient.newConnection().protocol(HttpProtocol.H2C);
    }

    @Test
    void a_head_over_http2_is_answered_by_the_headers_of_the_leader() {
        HttpClientResponse answer = http2().head()
                .uri(replicas.follower().uri("/status?code=201"))
                .response()
                .block(Duration.ofSeconds(30));
        assertThat(answer.status().code()).isEqualTo(201);
        assertThat(answer.responseHeaders().getAll("X-Own")).containsExactly("a", "b");
    }

    /** Sends a body of unknown length to the follower, and returns that of the answer. */
    String overHttp2(HttpMethod method, String path, String type, String body, String... read) {
        return http2().headers(headers -> headers.set("Content-Type", type).set("X-Read", List.of(read)))
                .request(method)
                .uri(replicas.follower().uri(path))
                // The client would gather what is no group, and tell its length.
                .send((request, out) -> out.sendGroups(Mono.just(ByteBufFlux.fromString(Flux.just(body)))))
                .responseContent()
                .aggregate()
                .asString()
                .block(Duration.ofSeconds(30));
    }

    /** A header for another protocol that the server does not take over, and answers all the same. */
    String declinedUpgrade() {
        return "Upgrade: h2c\r\n";
    }

    @Test
    void headers_of_one_connection_are_dropped() throws Exception {
        String answer = raw(
                replicas.follower(),
                "GET /echo/x HTTP/1.1\r\nHost: own.example.org\r\nConnection: close, X-Listed\r\nX-Listed: 1\r\nX-Kept: 1\r\n"
                        + "Keep-Alive: timeout=5\r\nTE: trailers\r\nProxy-Authorization: x\r\n" + declinedUpgrade()
                        + "\r\n");
        JsonNode headers = json(answer.substring(answer.indexOf('{'), answer.lastIndexOf('}') + 1))
                .get("headers");

        assertThat(headers.has("x-kept")).isTrue();
        for (String dropped :
                List.of("x-listed", "keep-alive", "te", "proxy-authorization", "upgrade", "user-agent", "accept")) {
            assertThat(headers.has(dropped)).as(dropped).isFalse();
        }
        assertThat(headers.get("host").asString()).isEqualTo("own.example.org");
    }

    @Test
    void who_may_not_call_it_is_refused_before_it_is_forwarded_and_again_on_the_leader() throws Exception {
        HttpResponse<String> refused = get(replicas.follower(), "/echo/secured");
        assertThat(refused.statusCode()).isEqualTo(401);

        JsonNode said = echo(
                send(request(replicas.follower(), "/echo/secured").header("Authorization", basic("user", "secret"))));
        assertThat(said.get("node").asString()).isEqualTo(replicas.leader().id());
    }

    @Test
    void the_response_is_that_of_the_leader() throws Exception {
        for (int code : List.of(200, 201, 204, 304, 404, 418, 500, 503)) {
            HttpResponse<String> direct = get(replicas.leader(), "/status?code=" + code);
            HttpResponse<String> forwarded = get(replicas.follower(), "/status?code=" + code);

            assertThat(forwarded.statusCode()).isEqualTo(code);
            assertThat(forwarded.body()).isEqualTo(direct.body());
            assertThat(comparable(forwarded)).isEqualTo(comparable(direct));
        }
        assertThat(get(replicas.follower(), "/status?code=200").headers().allValues("Date"))
                .hasSameSizeAs(
                        get(replicas.leader(), "/status?code=200").headers().allValues("Date"));
        assertThat(comparable(get(replicas.follower(), "/download?size=10")))
                .isEqualTo(comparable(get(replicas.leader(), "/download?size=10")))
                .containsEntry("transfer-encoding", List.of("chunked"));
        HttpResponse<String> head =
                send(request(replicas.follower(), "/status?code=200").method("HEAD", BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().allValues("X-Own")).containsExactly("a", "b");
        assertThat(head.headers().firstValue("Content-Length")).hasValue("4");
    }

    @Test
    void large_bodies_pass_both_ways() throws Exception {
        int size = 32 * 1024 * 1024;
        byte[] part = new byte[8192];
        HttpResponse<String> answer = send(request(replicas.follower(), "/upload")
                .POST(BodyPublishers.ofByteArrays(Collections.nCopies(size / part.length, part))));
        assertThat(answer.body()).isEqualTo(summary(size));

        HttpResponse<InputStream> download = client.send(
                request(replicas.follower(), "/download?size=" + size).build(), BodyHandlers.ofInputStream());
        try (InputStream body = download.body()) {
            assertThat(body.transferTo(OutputStream.nullOutputStream())).isEqualTo(size);
        }
    }

    @Test
    void a_client_that_waits_for_100_continue_gets_it() throws Exception {
        HttpResponse<String> answer = send(request(replicas.follower(), "/upload")
                .expectContinue(true)
                .POST(BodyPublishers.ofByteArray(new byte[50_000])));
        assertThat(answer.body()).isEqualTo(summary(50_000));
    }

    @Test
    void events_arrive_when_they_are_sent_and_the_stream_ends_with_the_leadership() throws Exception {
        Replica leader = replicas.leader();
        HttpResponse<InputStream> stream =
                client.send(request(replicas.follower(), "/events").build(), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(nextEvent(lines)).isEqualTo("data:begun on " + leader.id());
            assertThat(leader.election().runningWork()).isEqualTo(1);
            leader.context().getBean(EventStreams.class).emit("one");
            assertThat(nextEvent(lines)).isEqualTo("data:one");

            replicas.move();

            assertThat(lines.lines().toList()).allMatch(String::isEmpty);
        }
        leader.awaitNoWork(Duration.ofSeconds(5));
        assertThat(echo(get(leader, "/echo/x")).get("node").asString())
                .isEqualTo(replicas.leader().id());
    }

    /** A stream of events has headers for it, and then the leader goes on. It hears nothing more over that connection. */
    @Test
    void a_request_does_not_wait_for_the_end_of_a_head_before() throws Exception {
        Replica leader = replicas.leader();
        HttpResponse<String> head =
                send(request(replicas.follower(), "/events").method("HEAD", BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("Content-Type").orElse("")).startsWith("text/event-stream");

        JsonNode said = echo(send(request(replicas.follower(), "/echo/x").timeout(Duration.ofSeconds(10))));
        assertThat(said.get("node").asString()).isEqualTo(leader.id());

        replicas.move();
        leader.awaitNoWork(Duration.ofSeconds(5));
    }

    /** Otherwise the client would take a part of it for the whole. */
    @Test
    void a_response_that_its_leadership_does_not_outlast_is_seen_to_break_off() throws Exception {
        Replica leader = replicas.leader();
        List<HttpResponse<InputStream>> answers = new ArrayList<>();
        for (Replica replica : replicas.all()) {
            answers.add(client.send(request(replica, "/endless").build(), BodyHandlers.ofInputStream()));
        }
        assertThat(leader.election().runningWork()).isEqualTo(2);

        replicas.move();

        for (HttpResponse<InputStream> answer : answers) {
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThatThrownBy(() -> answer.body().readAllBytes()).isInstanceOf(IOException.class);
        }
        leader.awaitNoWork(Duration.ofSeconds(5));
    }

    /** Whatever the handler has done, it has not answered 200. */
    @Test
    void a_response_that_has_not_begun_when_its_leadership_ends_is_a_bad_gateway() throws Exception {
        Replica leader = replicas.leader();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (Replica replica : replicas.all()) {
            answers.add(client.sendAsync(request(replica, "/never").build(), BodyHandlers.ofString()));
        }
        Wait.until(
                "both are served",
                Duration.ofSeconds(10),
                () -> leader.election().runningWork() == 2);

        replicas.move();

        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            assertThat(answer.get().statusCode()).isEqualTo(502);
            assertThat(answer.get().body()).contains("The request may have been carried out");
        }
        leader.awaitNoWork(Duration.ofSeconds(5));
    }

    @Test
    void the_work_of_a_request_ends_with_its_response() throws Exception {
        Replica leader = replicas.leader();
        for (String path : List.of("/echo/x", "/token", "/download?size=100000", "/status?code=500")) {
            get(replicas.follower(), path);
            get(leader, path);
        }
        leader.awaitNoWork(Duration.ofSeconds(5));
    }

    @Test
    void threads_of_a_handler_have_the_token() throws Exception {
        long token =
                replicas.leader().election().leadership().orElseThrow().token().value();
        assertThat(get(replicas.follower(), "/token").body())
                .isEqualTo(replicas.leader().id() + " " + token);
    }

    /** Spring would take it from the parameters of the request otherwise. */
    @Test
    void no_handler_takes_a_token_from_the_client() throws Exception {
        HttpResponse<String> answer = get(replicas.leader(), "/unrouted?value=7&token=7");
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).doesNotContain("token 7");
    }

    @Test
    void a_form_that_a_filter_has_read_is_encoded_again() throws Exception {
        HttpResponse<String> answer = send(request(replicas.follower(), "/form?q=1&both=query")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(text("name=J%C3%BCrgen+%26+Co&empty=&other=%3D")));
        assertThat(answer.body()).isEqualTo("{both=query, empty=, name=J\u00fcrgen & Co, other==, q=1}");
    }

    @Test
    void a_client_calls_the_leader_and_follows_one_change() throws Exception {
        Replica caller = replicas.follower();
        RestClient leader = RestClient.builder()
                .apply(caller.context().getBean(LeaderClient.class).of("orders"))
                .build();
        assertThat(call(leader)).isEqualTo(replicas.leader().id());
        replicas.move();
        assertThat(call(leader)).isEqualTo(replicas.leader().id());
    }

    /** Returns which node has answered. */
    private static String call(RestClient leader) {
        JsonNode said = json(leader.post()
                .uri("/echo/{x}?y={z}", "a b", 1)
                .body("text")
                .retrieve()
                .body(String.class));
        assertThat(said.get("path").asString()).isEqualTo("/echo/a%20b");
        assertThat(said.get("body").asString()).isEqualTo("text");
        return said.get("node").asString();
    }

    @Test
    void each_request_is_measured() throws Exception {
        Replica follower = replicas.follower();
        get(follower, "/echo/x");
        get(follower, "/refuse");
        get(replicas.leader(), "/echo/x");
        MeterRegistry meters = follower.context().getBean(MeterRegistry.class);
        assertThat(meters.get("election.routing")
                        .tags("election", "orders", "mode", "forward", "outcome", "forwarded")
                        .timer()
                        .count())
                .isPositive();
        assertThat(meters.get("election.routing")
                        .tags("mode", "refuse", "outcome", "refused")
                        .timer()
                        .count())
                .isPositive();
        assertThat(replicas.leader()
                        .context()
                        .getBean(MeterRegistry.class)
                        .get("election.routing")
                        .tags("outcome", "local")
                        .timer()
                        .count())
                .isPositive();
    }

    @Test
    void an_upgrade_is_not_forwarded() throws Exception {
        String answer = raw(
                replicas.follower(),
                "GET /echo/x HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 501 ").contains("Connect to the leader itself");
    }

    /** The header of a hop only forbids. */
    @Test
    void a_forged_hop_earns_421_and_nothing_else() throws Exception {
        long token =
                replicas.leader().election().leadership().orElseThrow().token().value();
        for (String hop : List.of(
                "orders/" + token,
                "orders/1",
                "other/" + token,
                "",
                "x",
                "orders/" + token + "0",
                "orders/99999999999999999999")) {
            HttpResponse<String> onFollower =
                    send(request(replicas.follower(), "/echo/x").header("Election-Hop", hop));
            assertThat(onFollower.statusCode()).as(hop).isEqualTo(421);
            assertThat(onFollower.headers().firstValue("Election-Hop-Refused"))
                    .hasValue(hop.startsWith("other/") ? "other" : "orders");

            int onLeader = send(request(replicas.leader(), "/echo/x").header("Election-Hop", hop))
                    .statusCode();
            assertThat(onLeader).as(hop).isEqualTo(hop.equals("orders/" + token) ? 200 : 421);
        }
        assertThat(send(request(replicas.follower(), "/echo/secured").header("Election-Hop", "orders/" + token))
                        .statusCode())
                .isEqualTo(401);
        assertThat(send(request(replicas.leader(), "/echo/secured").header("Election-Hop", "orders/" + token))
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void forged_forwarded_headers_change_nothing_where_the_application_does_not_believe_them() throws Exception {
        HttpRequest.Builder forged = request(replicas.follower(), "/redirect/x")
                .header("Forwarded", "host=evil.example.org;proto=https")
                .header("X-Forwarded-Host", "evil.example.org")
                .header("X-Forwarded-Prefix", "/evil");
        assertThat(send(forged).headers().firstValue("Location").orElseThrow())
                .isEqualTo("http://public-" + replicas.leader().id() + ".example.org/base/redirect/x");
        JsonNode said =
                echo(send(request(replicas.follower(), "/echo/x").header("X-Forwarded-Host", "evil.example.org")));
        assertThat(said.get("url").asString())
                .startsWith("http://127.0.0.1:" + replicas.follower().port() + "/");
    }

    @Test
    void odd_targets_go_to_the_leader_or_nowhere() throws Exception {
        int port = replicas.follower().port();
        for (String target : List.of(
                "//evil.example.org/echo/x",
                "/echo//evil.example.org/x",
                "http://evil.example.org/echo/x",
                "http://evil.example.org:1/echo/../echo/x",
                "/echo/%2F%2Fevil.example.org/",
                "/echo/..%2fx",
                "/echo/x@evil.example.org:1/",
                "/echo/%00x",
                "/echo/x?http://evil.example.org",
                "/echo/#x")) {
            String answer = raw(
                    replicas.follower(),
                    "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n");
            assertThat(answer).as(target).matches("(?s)HTTP/1.1 (200|400|404) .*");
            if (answer.startsWith("HTTP/1.1 200")) {
                assertThat(answer)
                        .as(target)
                        .contains("\"node\":\"" + replicas.leader().id() + "\"");
            }
        }
    }

    /** Encoded once more, the parameter a would have another value. */
    @Test
    void a_query_that_is_not_valid_is_not_sent_as_another_one() throws Exception {
        assertThat(raw(
                        replicas.follower(),
                        "GET /echo/x?a=%2F&b=100% HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void a_request_with_both_lengths_smuggles_no_second_one() throws Exception {
        String answer = raw(
                replicas.follower(),
                "POST /echo/x HTTP/1.1\r\nHost: a\r\nContent-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                        + "GET /echo/smuggled HTTP/1.1\r\nHost: a\r\nX: 0123456789\r\n\r\n");
        assertThat(answer).doesNotContain("/echo/smuggled\"");
    }

    HttpResponse<String> get(Replica replica, String path) throws IOException, InterruptedException {
        return send(request(replica, path));
    }

    static HttpRequest.Builder request(Replica replica, String path) {
        return HttpRequest.newBuilder(URI.create(replica.uri(path))).timeout(Duration.ofSeconds(30));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }

    static JsonNode echo(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer.body());
    }

    static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    static HttpRequest.BodyPublisher text(String body) {
        return BodyPublishers.ofString(body);
    }

    /** A body of two parts. */
    static HttpRequest.Builder multipart(Replica replica, String path) {
        return request(replica, path)
                .header("Content-Type", "multipart/form-data; boundary=border")
                .POST(text("--border\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nreport\r\n"
                        + "--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
                        + "Content-Type: text/plain\r\n\r\n" + "x".repeat(50_000) + "\r\n--border--\r\n" + UNREAD));
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    /** What the upload of that many zeros answers. */
    private static String summary(int size) {
        CRC32 sum = new CRC32();
        sum.update(new byte[size]);
        return size + " " + Long.toHexString(sum.getValue());
    }

    /** The headers that are not of one server or one moment. */
    private static Map<String, List<String>> comparable(HttpResponse<?> answer) {
        Map<String, List<String>> headers = new TreeMap<>(answer.headers().map());
        headers.keySet().removeAll(List.of("date", "keep-alive", "connection"));
        return headers;
    }

    private static String nextEvent(BufferedReader lines) throws IOException {
        String line = lines.readLine();
        while (line != null && line.isEmpty()) {
            line = lines.readLine();
        }
        return line;
    }

    /** Sends that text and nothing else, and returns all that comes until the end of the connection, or until nothing more comes. */
    static String raw(Replica replica, String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", replica.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            answer.write(socket.getInputStream().readNBytes(1));
            socket.setSoTimeout(2_000);
            try {
                socket.getInputStream().transferTo(answer);
            } catch (SocketTimeoutException nothingMore) {
                // The connection is kept.
            }
            return answer.toString(StandardCharsets.ISO_8859_1);
        }
    }
}
