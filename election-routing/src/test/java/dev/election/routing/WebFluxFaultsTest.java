package dev.election.routing;

import dev.election.testing.RealTime;
import org.springframework.boot.WebApplicationType;

/** Spring WebFlux on Netty. */
@RealTime
class WebFluxFaultsTest extends FaultsContract {

    @Override
    Replicas replicas(String... properties) {
        return new Replicas(WebFluxApplication.class, WebApplicationType.REACTIVE, properties);
    }
}
