package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Wait;
import dev.election.testing.RealTime;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;

/** Spring WebFlux on Netty. */
@RealTime
class WebFluxFaultsTest extends FaultsContract {

    @Override
    Replicas replicas(String... properties) {
        return new Replicas(WebFluxApplication.class, WebApplicationType.REACTIVE, properties);
    }

    /** The first part has come before the connection to the leader is tried, and perhaps the end of the body. */
    @ParameterizedTest
    @ValueSource(ints = {1, 200_000})
    void a_part_of_a_body_that_reaches_no_leader_is_released(int size) throws Exception {
        Impostor closed = new Impostor();
        closed.close();
        leaderSays(closed.uri());
        WatchedBodies bodies = follower.context().getBean(WatchedBodies.class);
        int before = bodies.seen();
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        RoutingContract.request(follower, "/upload")
                                .header(WatchedBodies.HEADER, "yes")
                                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(new byte[size])))
                                .build(),
                        BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(bodies.seen()).isGreaterThan(before);
        Wait.until("it is released", Duration.ofSeconds(10), bodies::areReleased);
    }
}
