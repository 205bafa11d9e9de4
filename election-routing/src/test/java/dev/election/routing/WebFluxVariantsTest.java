package dev.election.routing;

import dev.election.testing.RealTime;
import java.util.stream.Stream;
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
        return new Replicas(
                WebFluxApplication.class,
                WebApplicationType.REACTIVE,
                Stream.concat(
                                PROPERTIES.stream(),
                                Stream.of(
                                        // The tests have both servers on their class path.
                                        "spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
                                                + "TomcatReactiveManagementContextAutoConfiguration"))
                        .toArray(String[]::new));
    }
}
