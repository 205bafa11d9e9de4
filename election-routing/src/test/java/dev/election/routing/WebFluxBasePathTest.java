package dev.election.routing;

import dev.election.testing.RealTime;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;

/** With Spring WebFlux below a base path. */
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
    Replicas replicas() {
        return new Replicas(
                WebFluxApplication.class,
                WebApplicationType.REACTIVE,
                Stream.concat(PROPERTIES.stream(), Stream.of("spring.webflux.base-path=/app"))
                        .toArray(String[]::new));
    }
}
