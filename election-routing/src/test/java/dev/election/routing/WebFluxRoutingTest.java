package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.harness.Wait;
import dev.election.routing.Replicas.Replica;
import dev.election.routing.internal.leader.RunningRequests;
import dev.election.testing.RealTime;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Sinks;

/** Spring WebFlux on Netty, behind a filter that reads bodies when it is asked to. */
@RealTime
class WebFluxRoutingTest extends RoutingContract {

    @Override
    Replicas replicas() {
        return new Replicas(
                WebFluxApplication.class,
                WebApplicationType.REACTIVE,
                "server.http2.enabled=true",
                "election.routing.routes[0].path=/admin/**",
                "election.routing.routes[0].election=orders");
    }

    @Test
    void a_body_that_a_filter_has_read_is_refused_with_the_cause_and_the_action() throws Exception {
        for (HttpRequest.Builder request : List.of(
                request(replicas.follower(), "/upload").header("X-Read", "body").POST(text("small")),
                request(replicas.follower(), "/upload").header("X-Read", "body").POST(text("x".repeat(50_000))),
                request(replicas.follower(), "/upload").header("X-Read", "part").POST(text("x".repeat(5_000_000))),
                multipart(replicas.follower(), "/parts").header("X-Read", "parts"))) {
            HttpResponse<String> answer = send(request);
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(500);
            assertThat(answer.body()).contains("a filter has read its body before", "Order that filter behind");
        }
    }

    /** It can't be told from an empty one. */
    @Test
    void a_body_of_unknown_length_that_a_filter_has_read_is_empty_for_the_leader_wherever_it_arrives()
            throws Exception {
        for (Replicas.Replica replica : replicas.all()) {
            HttpResponse<String> answer = send(request(replica, "/upload")
                    .header("X-Read", "body")
                    .POST(BodyPublishers.fromPublisher(text("x".repeat(50_000)))));
            assertThat(answer.body()).as(replica.id()).isEqualTo("0 0");
        }
    }

    /** Its thread has none without the hook of Reactor, which only an application can set. */
    @Test
    void a_handler_with_a_body_has_the_token_as_an_argument_and_in_the_context() throws Exception {
        String token =
                replicas.leader().election().leadership().orElseThrow().token().toString();
        assertThat(send(request(replicas.follower(), "/tokens?value=7").POST(text("body")))
                        .body())
                .isEqualTo(token + " " + token + " 0");
    }

    /** Netty notices some of them before they are served. */
    @Test
    void a_client_that_goes_away_at_once_leaves_no_work() throws Exception {
        Replica leader = replicas.leader();
        for (int i = 0; i < 200; i++) {
            try (Socket socket = new Socket("127.0.0.1", leader.port())) {
                socket.getOutputStream()
                        .write("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nx"
                                .getBytes(StandardCharsets.US_ASCII));
                socket.shutdownOutput();
                int unused = socket.getInputStream().read();
            } catch (SocketException reset) {
                // The server may say so as well.
            }
        }
        leader.awaitNoWork(Duration.ofSeconds(5));
    }

    /** Spring writes no other response any more. */
    @Test
    void a_response_before_which_a_session_is_saved_when_its_leadership_ends_is_complete() throws Exception {
        for (CompletableFuture<HttpResponse<String>> answer : lostWhileSaving("/saving")) {
            assertThat(answer.get(10, TimeUnit.SECONDS))
                    .extracting(HttpResponse::statusCode, HttpResponse::body)
                    .containsExactly(200, "part");
        }
        replicas.leader().awaitNoWork(Duration.ofSeconds(5));
    }

    @Test
    void a_response_that_goes_on_after_that_is_seen_to_break_off() throws Exception {
        for (CompletableFuture<HttpResponse<String>> answer : lostWhileSaving("/saving?endless=true")) {
            assertThatThrownBy(() -> answer.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(IOException.class);
        }
        replicas.leader().awaitNoWork(Duration.ofSeconds(5));
    }

    private List<CompletableFuture<HttpResponse<String>>> lostWhileSaving(String path) {
        ConfigurableApplicationContext leader = replicas.leader().context();
        Sinks.Empty<Void> saved = Sinks.empty();
        leader.getBean(WebFluxApplication.Orders.class).saved = saved;
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (Replica replica : replicas.all()) {
            answers.add(client.sendAsync(request(replica, path).build(), BodyHandlers.ofString()));
        }
        Wait.until("both are being saved", Duration.ofSeconds(10), () -> saved.currentSubscriberCount() == 2);
        FencingToken token =
                replicas.leader().election().leadership().orElseThrow().token();
        // The thread for listeners calls it later, too. Here the loss is certain to come before the save ends.
        leader.getBean(RunningRequests.class)
                .listener()
                .onLost(new LeadershipEvent.Lost("orders", Instant.now(), token, LossReason.ABDICATED, Duration.ZERO));
        saved.tryEmitEmpty();
        return answers;
    }

    @Test
    void a_form_that_a_filter_has_read_is_forwarded() throws Exception {
        HttpResponse<String> answer = send(request(replicas.follower(), "/form")
                .header("X-Read", "form")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(text("name=a")));
        assertThat(answer.body()).isEqualTo("{name=a}");
    }
}
