package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.routing.Replicas.Replica;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Replicas below a context path, which believe forwarded headers, and whose endpoints have a port of their own. All is routed. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class VariantsContract {

    static final List<String> PROPERTIES = List.of(
            "server.forward-headers-strategy=framework",
            "management.server.port=0",
            "management.endpoints.web.exposure.include=leader",
            "spring.threads.virtual.enabled=true",
            "election.routing.routes[0].path=/**",
            "election.routing.routes[0].election=orders");

    final HttpClient client = HttpClient.newHttpClient();

    @AutoClose
    Replicas replicas;

    abstract Replicas replicas();

    /** The path of the application. */
    abstract String base();

    /** What a proxy says that has removed {@code /pre}. */
    abstract String prefix();

    /** The path of the application for clients of that proxy. */
    abstract String seen();

    /** The part of the path of the application that a public URI does not contain. */
    String redirected() {
        return "";
    }

    @BeforeAll
    void start() {
        replicas = replicas().start(2);
    }

    @Test
    void the_context_path_is_that_of_the_leader() throws Exception {
        JsonNode said = echo(RoutingContract.request(replicas.follower(), base() + "/echo/a%20b?x=1"));
        assertThat(said.get("node").asString()).isEqualTo(replicas.leader().id());
        assertThat(said.get("path").asString()).isEqualTo(base() + "/echo/a%20b");
    }

    @Test
    void the_leader_understands_forwarded_headers_as_the_follower_does() throws Exception {
        for (Replica replica : replicas.all()) {
            HttpRequest.Builder request = RoutingContract.request(replica, base() + "/echo/x")
                    .header("X-Forwarded-Host", "shop.example.org")
                    .header("X-Forwarded-Proto", "https")
                    .header("X-Forwarded-For", "192.0.2.1");
            if (!prefix().isEmpty()) {
                request.header("X-Forwarded-Prefix", prefix());
            }
            JsonNode said = echo(request);
            assertThat(said.get("url").asString())
                    .as(replica.id())
                    .isEqualTo("https://shop.example.org" + seen() + "/echo/x");
        }
    }

    /** What it has not understood does not pass. */
    @Test
    void a_forwarded_header_that_the_follower_has_not_used_is_dropped() throws Exception {
        JsonNode headers = echo(RoutingContract.request(replicas.follower(), base() + "/echo/x")
                        .header("Forwarded", "host=shop.example.org;proto=https")
                        .header("X-Forwarded-Host", "evil.example.org"))
                .get("headers");
        assertThat(headers.toString()).doesNotContain("evil.example.org");
    }

    @Test
    void a_multipart_body_that_nothing_has_read_is_forwarded_as_it_came() throws Exception {
        HttpResponse<String> answer = client.send(
                RoutingContract.multipart(replicas.follower(), base() + "/parts")
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo("report a.txt 50000");
    }

    @Test
    void a_redirect_goes_to_the_same_path() throws Exception {
        HttpRequest.Builder request = RoutingContract.request(replicas.follower(), base() + "/redirect/a%20b?x=1");
        if (!prefix().isEmpty()) {
            request.header("X-Forwarded-Prefix", prefix());
        }
        HttpResponse<String> answer = client.send(request.build(), BodyHandlers.ofString());
        assertThat(answer.headers().firstValue("Location"))
                .hasValue("http://public-" + replicas.leader().id() + ".example.org/base" + redirected()
                        + "/redirect/a%20b?x=1");
    }

    @Test
    void endpoints_tell_of_the_node_that_is_asked() throws Exception {
        for (Replica replica : replicas.all()) {
            HttpResponse<String> answer = client.send(
                    HttpRequest.newBuilder(URI.create(endpoints(replica) + "/actuator/leader"))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(RoutingContract.json(answer.body()).at("/node/id").asString())
                    .isEqualTo(replica.id());
        }
    }

    /** A port of their own. */
    String endpoints(Replica replica) {
        return "http://127.0.0.1:" + replica.context().getEnvironment().getRequiredProperty("local.management.port");
    }

    private JsonNode echo(HttpRequest.Builder request) throws Exception {
        return RoutingContract.echo(client.send(request.build(), BodyHandlers.ofString()));
    }
}
