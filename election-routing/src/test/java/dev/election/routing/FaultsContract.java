package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.AssignedRole;
import dev.election.harness.Wait;
import dev.election.members.Member;
import dev.election.members.Members;
import dev.election.routing.Replicas.Replica;
import dev.election.testing.LoggedLines;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.web.client.RestClient;

/** What a client sees while the leader, or the way to it, fails. One replica leads, the other one never does. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FaultsContract {

    /** Of a leader that says nothing. */
    private static final Duration SILENCE = Duration.ofSeconds(1);

    private static final String BROKEN_OFF = "broken off|502 .*The request may have been carried out.*";

    private static final int FORGED = 10;

    private static final int GONE = 10;

    final HttpClient client = HttpClient.newHttpClient();

    @AutoClose
    private final Impostor impostor = new Impostor();

    @AutoClose
    private Replicas replicas;

    private Replica leader;
    Replica follower;
    private String uriOfLeader;

    abstract Replicas replicas(String... properties);

    @BeforeAll
    void start() {
        replicas = replicas(
                "election.routing.timeout=" + SILENCE.toMillis() + "ms",
                "election.routing.wait=300ms",
                "election.routing.routes[0].path=/**",
                "election.routing.routes[0].election=orders");
        leader = replicas.add("leader");
        follower = replicas.add("follower", "election.role=observer");
        replicas.awaitLeader();
        uriOfLeader = follower.context()
                .getBean(Members.class)
                .find("leader")
                .orElseThrow()
                .uri();
    }

    /** Waits until the server of that replica counts no request as under way, where it says so. A graceful shutdown waits for those. */
    void awaitNoRequest(Replica replica) {}

    @AfterEach
    void leaderIsItselfAgain() {
        for (Replica replica : List.of(leader, follower)) {
            awaitNoRequest(replica);
        }
        leader.election().setRole(AssignedRole.CANDIDATE).toCompletableFuture().join();
        leaderSays(uriOfLeader);
        replicas.awaitLeader();
    }

    @Test
    void a_request_is_sent_once_over_a_connection_that_is_reset() throws Exception {
        leaderSays(impostor.uri());
        impostor.behave(connection -> {
            connection.setSoLinger(true, 0);
            connection.close();
        });
        for (String method : List.of("GET", "POST", "PUT", "DELETE")) {
            HttpResponse<String> answer = send(method, "/echo/once");
            assertThat(answer.statusCode()).isEqualTo(502);
            assertThat(answer.body()).contains("The request may have been carried out");
        }
        assertThat(impostor.requests())
                .containsExactly(
                        "GET /echo/once HTTP/1.1",
                        "POST /echo/once HTTP/1.1",
                        "PUT /echo/once HTTP/1.1",
                        "DELETE /echo/once HTTP/1.1");
    }

    /** The leader has closed a connection that was idle, and the request was on its way. */
    @Test
    void a_request_is_sent_once_over_a_connection_that_was_used_before() throws Exception {
        leaderSays(impostor.uri());
        impostor.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        assertThat(send("GET", "/echo/first").body()).isEqualTo("ok");
        impostor.behave(connection -> {
            connection.setSoLinger(true, 0);
            connection.close();
        });
        assertThat(send("POST", "/echo/second").statusCode()).isEqualTo(502);
        assertThat(impostor.requests()).hasSize(1);
    }

    @Test
    void a_leader_that_says_nothing_is_waited_for_so_long_and_no_longer() throws Exception {
        leaderSays(impostor.uri());
        impostor.behave(connection -> {});
        for (String method : List.of("GET", "POST")) {
            long begun = System.nanoTime();
            HttpResponse<String> answer = send(method, "/echo/hangs");
            assertThat(answer.statusCode()).isEqualTo(504);
            assertThat(answer.body()).contains("The request may have been carried out");
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isBetween(SILENCE, SILENCE.multipliedBy(5));
        }
        assertThat(impostor.requests()).hasSize(2);
    }

    /** Its kernel takes a part of the body, and then no more. */
    @Test
    void a_leader_that_takes_no_more_of_a_body_is_not_waited_for_longer() throws Exception {
        leaderSays(impostor.uri());
        impostor.behave(connection -> {
            boolean unused = Wait.holdsWithin(Duration.ofSeconds(20), connection::isClosed);
            // Otherwise the rest of the body would be read as a request, during another test.
            connection.close();
        });
        long begun = System.nanoTime();
        HttpResponse<String> answer = client.send(
                RoutingContract.request(follower, "/upload")
                        .POST(BodyPublishers.ofByteArray(new byte[64 * 1024 * 1024]))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(504);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SILENCE.multipliedBy(10));
    }

    /** Unless nothing of it has been sent yet: then there is still an answer that says so. */
    @Test
    void a_response_that_breaks_off_is_seen_to_break_off() throws Exception {
        leaderSays(impostor.uri());
        for (String head : List.of(
                "Content-Length: 100\r\n\r\npart",
                "Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\n",
                "Transfer-Encoding: chunked\r\n\r\n4\r\npart\r\nno size\r\n")) {
            impostor.behave(connection -> {
                connection
                        .getOutputStream()
                        .write(("HTTP/1.1 200 OK\r\n" + head).getBytes(StandardCharsets.ISO_8859_1));
                connection.close();
            });
            assertThat(brokenOff()).as("closed: %s", head).matches(BROKEN_OFF);

            impostor.answer("HTTP/1.1 200 OK\r\n" + head);
            assertThat(brokenOff()).as("silent: %s", head).matches(BROKEN_OFF);
        }
    }

    /** The headers belong to a response that is not sent. */
    @Test
    void headers_of_a_response_that_has_no_body_yet_do_not_pass_with_the_answer_that_it_has_ended() throws Exception {
        leaderSays(impostor.uri());
        impostor.behave(connection -> {
            connection
                    .getOutputStream()
                    .write(("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nSet-Cookie: a=b\r\nContent-Encoding: gzip\r\n"
                                    + "Content-Length: 100\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            connection.close();
        });
        HttpResponse<String> answer = send("GET", "/echo/x");
        assertThat(answer.statusCode()).isEqualTo(502);
        assertThat(answer.body()).contains("The request may have been carried out");
        assertThat(answer.headers().map()).doesNotContainKeys("ETag", "Set-Cookie", "Content-Encoding");
    }

    private String brokenOff() throws InterruptedException {
        try {
            HttpResponse<String> answer = send("GET", "/download?size=1");
            return answer.statusCode() + " " + answer.body();
        } catch (IOException failure) {
            return "broken off";
        }
    }

    /** After its response, the client library would understand no other one over that connection. Some servers refuse it themselves. */
    @Test
    void a_tunnel_is_refused_and_spoils_no_connection_to_the_leader() throws Exception {
        leaderSays(impostor.uri());
        impostor.answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        assertThat(RoutingContract.raw(follower, "CONNECT /echo/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
                .matches("(?s)HTTP/1.1 (400|501) .*");
        assertThat(send("GET", "/echo/x").body()).isEqualTo("ok");
    }

    /** As that of a handler that answers while it reads. Whoever sent all of the request first would wait for both. */
    @Test
    void a_response_that_begins_before_its_request_has_ended_passes_both_ways() throws Exception {
        leaderSays(impostor.uri());
        impostor.answer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbeginning");
        try (Socket socket = new Socket("127.0.0.1", follower.port())) {
            socket.setSoTimeout(10_000);
            OutputStream request = socket.getOutputStream();
            request.write(("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n" + "x".repeat(100_000))
                    .getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder answer = new StringBuilder();
            while (!answer.toString().endsWith("beginning")) {
                int one = socket.getInputStream().read();
                assertThat(one).as("an end after: %s", answer).isNotNegative();
                answer.append((char) one);
            }
            assertThat(answer).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void a_leader_that_closes_its_half_of_a_connection_has_said_all() throws Exception {
        leaderSays(impostor.uri());
        impostor.behave(connection -> {
            connection.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\nall".getBytes(StandardCharsets.ISO_8859_1));
            connection.shutdownOutput();
        });
        assertThat(send("GET", "/echo/x").body()).isEqualTo("all");

        impostor.behave(Socket::shutdownOutput);
        assertThat(send("POST", "/echo/x").statusCode()).isEqualTo(502);
    }

    /** Otherwise the response belongs to the next request over that connection, perhaps that of another client. */
    @Test
    void an_interim_response_of_the_leader_is_not_taken_for_the_response() throws Exception {
        leaderSays(impostor.uri());
        impostor.behave(connection -> {
            OutputStream out = connection.getOutputStream();
            out.write("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            out.write(("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n"
                            + impostor.requests().size())
                    .getBytes(StandardCharsets.ISO_8859_1));
        });
        for (String request : List.of("1", "2", "3")) {
            HttpResponse<String> answer = send("GET", "/echo/" + request);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(request);
        }
    }

    /** A server may answer such a client or end the connection. It hangs nowhere. */
    @Test
    void a_client_that_closes_its_half_of_a_connection_holds_nothing() throws Exception {
        String whole = "GET /echo/whole HTTP/1.1\r\nHost: a\r\n\r\n";
        String part = "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(100_000);
        String small = "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(100);
        for (String request : List.of(whole, part, small)) {
            String answer = halfClosed(follower, request);
            assertThat(answer).matches(request.equals(whole) ? "(?s)(HTTP/1.1 200 .*)?" : "(?s)(HTTP/1.1 [45].*)?");
            leader.awaitNoWork(Duration.ofSeconds(10));
        }
        assertThat(send("GET", "/echo/x").statusCode()).isEqualTo(200);
    }

    /** The client may still read. */
    @Test
    void a_body_that_is_cut_off_has_the_same_status_on_each_node() throws Exception {
        for (String head : List.of(
                "Content-Length: 1000\r\n\r\n",
                "Content-Length: 1000000\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n186a0\r\n")) {
            String request = "POST /upload HTTP/1.1\r\nHost: a\r\n" + head + "x".repeat(100);
            String direct = statusOf(halfClosed(leader, request));
            for (int i = 0; i < GONE; i++) {
                assertThat(statusOf(halfClosed(follower, request))).as(head).isEqualTo(direct);
            }
        }
    }

    /** Empty without a response. */
    private static String statusOf(String answer) {
        return answer.substring(0, Math.min(answer.length(), "HTTP/1.1 200".length()));
    }

    /** Some of them are found to have gone by a thread of the server, others by one of the client that sends the body on. */
    @Test
    void a_client_that_goes_away_in_an_upload_is_no_failure_of_the_leader() throws Exception {
        try (LoggedLines logged = new LoggedLines("reactor.netty.http.client")) {
            clientsGoAway();
            assertThat(logged.withLevels()).noneMatch(line -> line.startsWith("WARN"));
        }
    }

    private void clientsGoAway() throws Exception {
        for (int i = 0; i < GONE; i++) {
            long before = gone();
            try (Socket socket = new Socket("127.0.0.1", follower.port())) {
                socket.getOutputStream()
                        .write(("POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n186a0\r\n"
                                        + "x".repeat(100_000))
                                .getBytes(StandardCharsets.ISO_8859_1));
                Wait.until(
                        "the leader reads it",
                        Duration.ofSeconds(10),
                        () -> leader.election().runningWork() == 1);
                socket.setSoLinger(i % 2 == 0, 0);
            }
            Wait.until("it is counted", Duration.ofSeconds(10), () -> gone() == before + 1);
            leader.awaitNoWork(Duration.ofSeconds(10));
        }
    }

    /** How many clients are known to have gone. */
    private long gone() {
        Timer timer = follower.context()
                .getBean(MeterRegistry.class)
                .find("election.routing")
                .tag("outcome", "client")
                .timer();
        return timer == null ? 0 : timer.count();
    }

    /** Sends that text and closes its half of the connection. Returns all that comes, which is nothing if the server breaks off. */
    private static String halfClosed(Replica replica, String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", replica.port())) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (SocketTimeoutException hangs) {
            throw new AssertionError(
                    "No end of the connection for: "
                            + request.lines().findFirst().orElse(""),
                    hangs);
        } catch (IOException reset) {
            return "";
        }
    }

    @Test
    void a_refused_hop_is_looked_for_elsewhere_and_then_refused() throws Exception {
        leaderSays(impostor.uri());
        impostor.answer("HTTP/1.1 421 Misdirected\r\nElection-Hop-Refused: orders\r\nContent-Length: 0\r\n\r\n");
        HttpResponse<String> answer = send("POST", "/echo/moved");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("The request was not carried out");
        assertThat(answer.headers()
                        .firstValue("Retry-After")
                        .map(Integer::parseInt)
                        .orElseThrow())
                .isBetween(1, 4);
        assertThat(impostor.requests()).hasSize(1);

        // Only ours is looked for elsewhere: the application may say so, too, or pass on what another leader has said.
        impostor.answer("HTTP/1.1 421 Misdirected\r\nElection-Hop-Refused: others\r\nContent-Length: 3\r\n\r\nown");
        assertThat(send("POST", "/echo/own").body()).isEqualTo("own");
        RestClient calling = RestClient.builder()
                .apply(follower.context().getBean(LeaderClient.class).of("orders"))
                .build();
        assertThatThrownBy(() -> calling.post().uri("/echo/own").retrieve().toBodilessEntity())
                .hasMessageContaining("own");
        assertThat(impostor.requests()).hasSize(2);

        impostor.answer("HTTP/1.1 421 Misdirected\r\nContent-Length: 3\r\n\r\nown");
        assertThat(send("POST", "/echo/own").body()).isEqualTo("own");
    }

    /** Where nobody listens. */
    private static String closedUri() throws IOException {
        try (Impostor closed = new Impostor()) {
            return closed.uri();
        }
    }

    @Test
    void no_connection_is_tried_twice_and_then_503_says_that_nothing_was_carried_out() throws Exception {
        leaderSays(closedUri());
        HttpResponse<String> answer = send("POST", "/echo/closed");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("The request was not carried out");
        assertThat(answer.headers()
                        .firstValue("Retry-After")
                        .map(Integer::parseInt)
                        .orElseThrow())
                .isBetween(1, 4);
    }

    /** Which has no body. */
    @Test
    void a_head_that_reaches_no_leader_is_not_answered_as_if_it_did() throws Exception {
        leaderSays(closedUri());
        HttpResponse<String> answer = send("HEAD", "/echo/closed");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    }

    @Test
    void a_connection_that_could_not_be_opened_is_tried_again_at_the_leader_of_then() throws Exception {
        try (Impostor next = new Impostor()) {
            next.answer("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nthen");
            leaderSays(closedUri());
            CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
                    RoutingContract.request(follower, "/echo/later").build(), BodyHandlers.ofString());
            leader.context().getBean(Members.class).setUri(next.uri(), "");
            assertThat(answer.get().statusCode()).isIn(200, 503);
            leaderSays(next.uri());
            assertThat(send("GET", "/echo/later").body()).isEqualTo("then");
        }
    }

    @Test
    void a_member_with_a_hostile_uri_gets_no_request() throws Exception {
        for (String hostile : List.of(
                "file:///etc/passwd",
                "jar:http://127.0.0.1/x!/",
                "ftp://127.0.0.1/",
                "http:",
                "http:///path",
                "//127.0.0.1:1",
                "http://user:password@127.0.0.1:1",
                impostor.uri() + "?x=",
                impostor.uri() + "#x",
                "http://127.0.0.1:1 /",
                "not a uri")) {
            leaderSays(hostile);
            HttpResponse<String> answer = send("GET", "/echo/x");
            assertThat(answer.statusCode()).as(hostile).isEqualTo(503);
            assertThat(answer.body()).as(hostile).contains("The leader says no address");
        }
    }

    /** Every path is routed here, also one for which there is no handler. */
    @Test
    void an_address_in_the_target_gets_no_request() throws Exception {
        String address = URI.create(impostor.uri()).getAuthority();
        impostor.answer("HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nfetched");
        for (String target : List.of(
                "//" + address + "/echo/x",
                "///" + address + "/echo/x",
                "http://" + address + "/echo/x",
                "http://" + address + "//" + address + "/",
                "/@" + address + "/",
                "@" + address + "/",
                ":1@" + address + "/",
                "/%2F%2F" + address + "/",
                "/%2f%2f" + address + "%2fecho",
                "/.//" + address + "/",
                "/echo/..//" + address + "/",
                "/;//" + address + "/",
                "/\\\\" + address + "/",
                "/%5C%5C" + address + "/",
                "/?//" + address + "/",
                "/%0d%0aHost:%20" + address + "/")) {
            String answer = RoutingContract.raw(
                    follower, "GET " + target + " HTTP/1.1\r\nHost: " + address + "\r\nConnection: close\r\n\r\n");
            assertThat(answer).as(target).doesNotContain("fetched").matches("(?s)(HTTP/1.1 (200|400|404|500) .*)?");
        }
        assertThat(impostor.requests()).isEmpty();
    }

    /** Everyone who may publish in Redis can say anything of a member, but a request carries credentials. */
    @Test
    void an_address_that_a_forged_message_tells_gets_no_request() throws Exception {
        byte[] channel = "election:{members}:events".getBytes(StandardCharsets.UTF_8);
        List<String> heard = new CopyOnWriteArrayList<>();
        RedisConnectionFactory redis = follower.context().getBean(RedisConnectionFactory.class);
        Members members = follower.context().getBean(Members.class);
        try (RedisConnection listening = redis.getConnection();
                RedisConnection publishing = redis.getConnection()) {
            listening.subscribe(
                    (message, pattern) -> heard.add(new String(message.getBody(), StandardCharsets.UTF_8)), channel);
            leader.context().getBean(Members.class).setMetadata("said", Long.toString(System.nanoTime()));
            Wait.until("the leader has said something", Duration.ofSeconds(10), () -> heard.stream()
                    .anyMatch(message -> message.contains(uriOfLeader)));
            String[] real = heard.stream()
                    .filter(message -> message.contains(uriOfLeader))
                    .findFirst()
                    .orElseThrow()
                    .split("\n", 4);
            int believed = 0;
            impostor.answer("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged");
            // The store corrects each of them soon, perhaps before the request.
            for (int i = 1; i <= FORGED; i++) {
                String forged = String.join(
                        "\n",
                        real[0],
                        real[1],
                        Long.toString(Long.parseLong(real[2]) + i),
                        real[3].replace(uriOfLeader, impostor.uri()));
                publishing.publish(channel, forged.getBytes(StandardCharsets.UTF_8));
                boolean isBelieved = Wait.holdsWithin(Duration.ofSeconds(1), () -> members.find("leader")
                        .map(Member::uri)
                        .filter(impostor.uri()::equals)
                        .isPresent());
                believed += isBelieved ? 1 : 0;
                assertThat(RoutingContract.echo(send("POST", "/echo/x"))
                                .get("node")
                                .asString())
                        .isEqualTo("leader");
            }
            assertThat(believed)
                    .as("messages that were believed as far as it goes")
                    .isPositive();
        }
        assertThat(impostor.requests()).isEmpty();
    }

    @Test
    void while_nobody_leads_a_request_waits_and_is_refused_then() throws Exception {
        leader.election().setRole(AssignedRole.OBSERVER).toCompletableFuture().join();
        long begun = System.nanoTime();
        for (Replica replica : List.of(follower, leader)) {
            HttpResponse<String> answer =
                    client.send(RoutingContract.request(replica, "/echo/x").build(), BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().firstValue("Retry-After")).hasValue("1");
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofMillis(500));
    }

    @Test
    void a_request_that_waits_is_served_when_somebody_leads() throws Exception {
        leader.election().setRole(AssignedRole.OBSERVER).toCompletableFuture().join();
        Wait.until("nobody leads", Duration.ofSeconds(10), () -> follower.election()
                .leader()
                .isEmpty());
        CompletableFuture<HttpResponse<String>> answer =
                client.sendAsync(RoutingContract.request(follower, "/echo/x").build(), BodyHandlers.ofString());
        leader.election().setRole(AssignedRole.CANDIDATE).toCompletableFuture().join();
        assertThat(answer.get().statusCode()).isIn(200, 503);
        replicas.awaitLeader();
        assertThat(send("GET", "/echo/x").statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> send(String method, String path) throws IOException, InterruptedException {
        return client.send(
                RoutingContract.request(follower, path)
                        .method(
                                method,
                                List.of("GET", "HEAD").contains(method)
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString("body"))
                        .build(),
                BodyHandlers.ofString());
    }

    /** And the follower has heard it. */
    void leaderSays(String uri) {
        leader.context().getBean(Members.class).setUri(uri, "");
        Wait.until("the follower knows it", Duration.ofSeconds(10), () -> follower.context()
                .getBean(Members.class)
                .confirmed("leader")
                .map(Member::uri)
                .filter(uri::equals)
                .isPresent());
    }
}
