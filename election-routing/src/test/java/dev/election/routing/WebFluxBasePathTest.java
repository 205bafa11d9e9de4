package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.routing.Replicas.Replica;
import dev.election.testing.RealTime;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collections;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import reactor.core.publisher.Hooks;

/** With Spring WebFlux below a base path, where the endpoints are, too, and with thread locals that follow the context of Reactor. */
@RealTime
class WebFluxBasePathTest extends VariantsContract {

    @Override
    String base() {
        return "/app";
    }

    @Override
    String prefix() {
        return "";
    }

    @Override
    String seen() {
        return "/app";
    }

    @Override
    String redirected() {
        return base();
    }

    @Override
    String endpoints(Replica replica) {
        return replica.uri(base());
    }

    @AfterAll
    static void hooksAreAsBefore() {
        Hooks.disableAutomaticContextPropagation();
    }

    @Test
    void each_thread_of_a_handler_has_the_token() throws Exception {
        String token =
                replicas.leader().election().leadership().orElseThrow().token().toString();
        String answer = client.send(
                        RoutingContract.request(replicas.follower(), base() + "/tokens")
                                .POST(RoutingContract.text("body"))
                                .build(),
                        BodyHandlers.ofString())
                .body();
        assertThat(answer).isEqualTo(String.join(" ", Collections.nCopies(3, token)));
    }

    @Override
    Replicas replicas() {
        return new Replicas(
                WebFluxApplication.class,
                WebApplicationType.REACTIVE,
                Stream.concat(
                                PROPERTIES.stream(),
                                Stream.of(
                                        "spring.webflux.base-path=/app",
                                        "management.server.port=",
                                        "spring.reactor.context-propagation=auto"))
                        .toArray(String[]::new));
    }
}
