package dev.election.routing.internal.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.routing.RoutingMode;
import dev.election.routing.internal.decision.Routes.Route;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

class RoutesTest {

    private final Routes routes = new Routes(
            List.of(route("/admin/reports/**", "reports"), route("/admin/**", "admin"), route("/actuator/**", "admin")),
            pattern("/actuator/**"),
            UnaryOperator.identity());

    @Test
    void the_first_route_that_matches_counts() {
        assertThat(electionOf("/admin/reports/1")).isEqualTo("reports");
        assertThat(electionOf("/admin/users")).isEqualTo("admin");
        assertThat(electionOf("/%61dmin/users")).isEqualTo("admin");
        assertThat(electionOf("/other")).isEqualTo("none");
    }

    /** Spring MVC finds no handler there either. */
    @Test
    void another_path_is_another_path() {
        assertThat(electionOf("//admin/users")).isEqualTo("none");
        assertThat(electionOf("/admin%2Fusers")).isEqualTo("none");
        assertThat(electionOf("/Admin/users")).isEqualTo("none");
    }

    @Test
    void endpoints_are_never_routed() {
        assertThat(electionOf("/actuator/health")).isEqualTo("none");
    }

    /** A container may read a path in another way than the client has written it. */
    @Test
    void a_route_catches_any_reading_of_a_path_and_endpoints_are_those_of_each_reading() {
        assertThat(electionOf("/x/../admin/users", "/admin/users")).isEqualTo("admin");
        assertThat(electionOf("/admin/users", "/admin")).isEqualTo("admin");
        assertThat(electionOf("/%61ctuator;a=b/health", "/actuator/health")).isEqualTo("none");
        assertThat(electionOf("/actuator/../admin/users", "/admin/users")).isEqualTo("admin");
        assertThat(electionOf("/admin/../actuator/health", "/actuator/health")).isEqualTo("admin");
    }

    private String electionOf(String... readings) {
        return routes.of(Stream.of(readings).map(PathContainer::parsePath).toList())
                .map(RoutedElection::election)
                .orElse("none");
    }

    private static Route route(String path, String election) {
        return new Route(pattern(path), new RoutedElection(election, RoutingMode.FORWARD));
    }

    private static PathPattern pattern(String path) {
        return PathPatternParser.defaultInstance.parse(path);
    }
}
