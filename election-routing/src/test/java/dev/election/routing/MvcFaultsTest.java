package dev.election.routing;

import dev.election.harness.Wait;
import dev.election.routing.Replicas.Replica;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.util.stream.Stream;
import org.apache.catalina.core.StandardContext;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Spring MVC on Tomcat. */
@RealTime
class MvcFaultsTest extends FaultsContract {

    @Override
    Replicas replicas(String... properties) {
        return new Replicas(MvcApplication.class, WebApplicationType.SERVLET, properties);
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
