package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.routing.Replicas.Replica;
import dev.election.testing.RealTime;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;

/** Servlets at paths of their own, and the dispatcher of Spring MVC at another one, on Tomcat. All is below a context path. */
@RealTime
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServletPathsTest {

    private final HttpClient client = HttpClient.newHttpClient();

    @AutoClose
    private final Replicas replicas = new Replicas(
                    ServletsApplication.class,
                    WebApplicationType.SERVLET,
                    server(),
                    "server.servlet.context-path=/app",
                    "spring.mvc.servlet.path=/api",
                    "management.endpoints.web.exposure.include=leader",
                    "election.routing.routes[0].path=/admin/**",
                    "election.routing.routes[0].election=orders",
                    "election.routing.routes[0].mode=refuse",
                    "election.routing.routes[1].path=/api/moved/**",
                    "election.routing.routes[1].election=orders",
                    "election.routing.routes[1].mode=redirect",
                    "election.routing.routes[2].path=/lib/**",
                    "election.routing.routes[2].election=orders",
                    "election.routing.routes[3].path=/api/a*/**",
                    "election.routing.routes[3].election=orders")
            .start(2);

    /** The settings that choose the server. */
    String server() {
        return Replicas.USUAL_SERVERS;
    }

    @Test
    void a_route_catches_the_requests_of_a_servlet() throws Exception {
        for (String path : List.of(
                "/lib/x",
                "/lib",
                "/lib/",
                "/%6cib/x",
                "/lib;a=1/x",
                "/lib/x;a=1",
                "/lib/%78",
                "/lib/actuator/x",
                "/lib/admin/x")) {
            assertThat(get("/app" + path).body()).as(path).isEqualTo(onLeader("lib /app" + path));
        }
    }

    @Test
    void a_route_catches_the_requests_of_handlers_below_the_path_of_the_dispatcher() throws Exception {
        assertThat(get("/app/api/admin/x").body()).isEqualTo(onLeader("unmarked"));
        assertThat(get("/app/api/marked/x").body()).isEqualTo(onLeader("marked"));
        assertThat(get("/app/api/anywhere/x").body()).isEqualTo(onLeader("unmarked"));
    }

    @Test
    void another_servlet_is_not_taken_for_the_dispatcher_nor_for_a_route() throws Exception {
        for (String path :
                List.of("/other/x", "/other/admin/x", "/other/lib/x", "/other/marked/x", "/other/api/admin")) {
            assertThat(get("/app" + path).body())
                    .as(path)
                    .isEqualTo(replicas.follower().id() + " other /app" + path);
        }
    }

    /** The container chooses the servlet by the path without its dots, empty segments, parameters and encoding. */
    @Test
    void no_writing_of_a_path_gets_a_follower_to_run_what_is_routed() throws Exception {
        for (String target : List.of(
                "//app/lib/x",
                "/app//lib/x",
                "/app/./lib/x",
                "/app/%2e/lib/x",
                "/app/other/../lib/x",
                "/app/other/%2e%2e/lib/x",
                "/app/other/..;/lib/x",
                "/app/api/actuator/../../lib/x",
                "/app/api/actuator/%2e%2e/%2E%2E/lib/x",
                "/app/lib%2fx",
                "/app/lib%5cx",
                "/app\\lib\\x",
                "/app/li%62;a/x",
                "/%61pp/lib/x",
                "/app;a=1/lib/x",
                "/x/../app/lib/x",
                "/./app/lib/x",
                "/%61pp/%6cib/x?q=%2F",
                "/app/%61pi/admin/x",
                "/app/api;a=1/admin/x",
                "/app//api/admin/x",
                "/app/api/admin%2Fx",
                "/app/other/../api/admin/x",
                "/app/api/actuator/../admin/x",
                "/%61pp/api/admin/x",
                "/app/%61pi/marked/x",
                "/app/api/mark%65d/x")) {
            String answer = RoutingContract.raw(
                    replicas.follower(), "GET " + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            assertThat(answer)
                    .as(target)
                    .doesNotContain(replicas.follower().id() + " ")
                    .matches("(?s)HTTP/1.1 (200|400|404|500) .*");
        }
    }

    @Test
    void endpoints_tell_of_the_node_that_is_asked() throws Exception {
        for (Replica replica : replicas.all()) {
            for (String path : List.of("/actuator/leader", "/actuator;a=1/leader", "/%61ctuator/leader")) {
                String answer = client.send(
                                RoutingContract.request(replica, "/app/api" + path)
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
                assertThat(RoutingContract.json(answer).at("/node/id").asString())
                        .as(path)
                        .isEqualTo(replica.id());
            }
        }
    }

    @Test
    void a_redirect_goes_to_the_path_of_the_dispatcher() throws Exception {
        assertThat(get("/app/api/moved/a%20b;c=d?x=1").headers().firstValue("Location"))
                .hasValue("http://public-" + replicas.leader().id() + ".example.org/base/api/moved/a%20b;c=d?x=1");
    }

    private String onLeader(String what) {
        return replicas.leader().id() + " " + what;
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(RoutingContract.request(replicas.follower(), path).build(), BodyHandlers.ofString());
    }
}
