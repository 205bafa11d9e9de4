package dev.election.routing;

import dev.election.testing.RealTime;
import org.springframework.boot.WebApplicationType;

/** Spring MVC on Tomcat. */
@RealTime
class MvcFaultsTest extends FaultsContract {

    @Override
    Replicas replicas(String... properties) {
        return new Replicas(MvcApplication.class, WebApplicationType.SERVLET, properties);
    }
}
