package dev.election.routing;

import dev.election.testing.RealTime;
import org.springframework.boot.WebApplicationType;

/** Spring WebFlux on Netty. */
@RealTime
class WebFluxRoutingTest extends RoutingContract {

    @Override
    Replicas replicas() {
        return new Replicas(
                WebFluxApplication.class,
                WebApplicationType.REACTIVE,
                "election.routing.routes[0].path=/admin/**",
                "election.routing.routes[0].election=orders");
    }
}
