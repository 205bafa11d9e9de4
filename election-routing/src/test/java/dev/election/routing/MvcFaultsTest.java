package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Wait;
import dev.election.routing.Replicas.Replica;
import dev.election.testing.RealTime;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.catalina.core.StandardContext;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Spring MVC on Tomcat. */
@RealTime
class MvcFaultsTest extends FaultsContract {

    @Override
    Replicas replicas(String... properties) {
        return new Replicas(
                MvcApplication.class,
                WebApplicationType.SERVLET,
                Stream.concat(
                                Stream.of(properties),
                                Stream.of(
                                        "spring.servlet.multipart.enabled=false",
                                        "spring.mvc.hiddenmethod.filter.enabled=true"))
                        .toArray(String[]::new));
    }

    /** Here a filter asks for a parameter, but the container may not look for parts. */
    @Test
    void a_multipart_body_that_the_container_leaves_unread_is_forwarded() throws Exception {
        HttpResponse<String> answer =
                client.send(RoutingContract.multipart(follower, "/upload").build(), BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    @Override
    void awaitNoRequest(Replica replica) {
        TomcatWebServer server =
                (TomcatWebServer) ((ServletWebServerApplicationContext) replica.context()).getWebServer();
        Wait.until("no request is left on the " + replica.id(), Duration.ofSeconds(10), () -> Stream.of(
                        server.getTomcat().getHost().findChildren())
                .allMatch(context -> ((StandardContext) context).getInProgressAsyncCount() == 0));
    }
}
