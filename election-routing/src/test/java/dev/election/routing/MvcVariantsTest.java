package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.routing.Replicas.Replica;
import dev.election.testing.RealTime;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** With Spring MVC, on virtual threads where the JDK has them. */
@RealTime
class MvcVariantsTest extends VariantsContract {

    @Override
    String base() {
        return "/app";
    }

    @Override
    String prefix() {
        return "/pre/app";
    }

    @Override
    String seen() {
        return "/pre/app";
    }

    @Override
    Replicas replicas() {
        return new Replicas(
                MvcApplication.class,
                WebApplicationType.SERVLET,
                Stream.concat(PROPERTIES.stream(), Stream.of("server.servlet.context-path=/app"))
                        .toArray(String[]::new));
    }

    /** With JDK 17 the property that asks for them has no effect. */
    @Test
    void requests_run_on_virtual_threads_where_the_jdk_has_them() throws Exception {
        for (Replica replica : replicas.all()) {
            String thread = client.send(
                            RoutingContract.request(replica, base() + "/thread").build(), BodyHandlers.ofString())
                    .body();
            assertThat(thread).startsWith(replicas.leader().id() + " ");
            assertThat(thread.contains("VirtualThread"))
                    .as(thread)
                    .isEqualTo(Runtime.version().feature() >= 21);
        }
    }
}
