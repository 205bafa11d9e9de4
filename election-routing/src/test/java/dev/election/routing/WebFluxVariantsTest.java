package dev.election.routing;

import dev.election.testing.RealTime;
import org.springframework.boot.WebApplicationType;

/** With Spring WebFlux at the root: with a base path it understands no prefix. */
@RealTime
class WebFluxVariantsTest extends VariantsContract {

    @Override
    String base() {
        return "";
    }

    @Override
    String prefix() {
        return "/pre";
    }

    @Override
    String seen() {
        return "/pre";
    }

    @Override
    Replicas replicas() {
        return new Replicas(WebFluxApplication.class, WebApplicationType.REACTIVE, PROPERTIES.toArray(String[]::new));
    }
}
