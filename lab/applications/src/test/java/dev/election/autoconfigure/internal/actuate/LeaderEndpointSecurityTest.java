package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.testing.Nodes;
import dev.election.testing.OperatedApplication;
import dev.election.testing.RealTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The application of the documentation: one role may look, another may make a leader abdicate and drain nodes. */
@RealTime
class LeaderEndpointSecurityTest {

    @AutoClose
    private final OperatedApplication application =
            new OperatedApplication("management.endpoint.leader.access=unrestricted", "election.drainable=true");

    private static final String MEMBER = "leader/members/" + OperatedApplication.NODE;

    private static final List<String> PATHS = List.of("leader", "leader/default", MEMBER);

    private static final List<String> OTHER_METHODS = List.of("HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private static final Pattern CHAIN =
            Pattern.compile("return http\\.securityMatcher.*?\\.build\\(\\);", Pattern.DOTALL);

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private Election leader;

    @BeforeEach
    void start() {
        leader = application.join("first");
        Nodes.await("a leader").until(leader::isLeader);
        application.start(WebApplicationType.SERVLET, Roles.class);
    }

    @Test
    void nobody_does_anything_without_a_name() {
        for (String path : PATHS) {
            assertThat(status("GET", path, null)).as(path).isEqualTo(401);
            for (String method : OTHER_METHODS) {
                assertThat(status(method, path, null)).as(method + " " + path).isEqualTo(401);
            }
        }
    }

    @Test
    void whoever_asks_for_the_health_of_the_application_needs_no_name() {
        assertThat(application.send("GET", "health", null).statusCode()).isEqualTo(200);
    }

    @Test
    void who_may_read_can_only_read() {
        for (String path : PATHS) {
            assertThat(status("GET", path, "viewer")).as(path).isEqualTo(200);
            for (String method : OTHER_METHODS) {
                assertThat(status(method, path, "viewer"))
                        .as(method + " " + path)
                        .isEqualTo(403);
            }
        }
        assertThat(leader.isLeader()).isTrue();
        assertThat(application.send("GET", "leader", "viewer").body()).doesNotContain("drained");
    }

    @Test
    void who_may_write_makes_the_leader_abdicate_and_drains_a_node() {
        assertThat(status("GET", "leader", "operator")).isEqualTo(200);
        assertThat(status("DELETE", "leader/default", "operator")).isEqualTo(200);
        assertThat(leader.isLeader()).isFalse();
        assertThat(application.send("POST", MEMBER, "operator").statusCode())
                .as("as a form of a foreign page would")
                .isEqualTo(415);
        assertThat(status("POST", MEMBER, "operator")).isEqualTo(200);
    }

    @Test
    void the_documentation_shows_these_rules_and_those_of_the_form() throws IOException {
        String page = Files.readString(Path.of("../../docs/operations.md"));
        List<String> shown = CHAIN.matcher(page)
                .results()
                .map(chain -> chain.group().replaceAll("//.*|\\s", ""))
                .toList();
        assertThat(shown).hasSize(1);
        assertThat(source("src/test/java/dev/election/autoconfigure/internal/actuate/LeaderEndpointSecurityTest.java"))
                .contains(shown.get(0));
        String form =
                page.substring(page.indexOf("Where people sign in by a form"), page.indexOf("\n## Health and info"));
        List<String> ofTheForm = CODE.matcher(form)
                .results()
                .map(code -> code.group(1).replace(" ", ""))
                .toList();
        assertThat(ofTheForm).hasSize(5).allSatisfy(code -> assertThat(
                        source("../browser/src/test/java/dev/election/browser/SignIn.java"))
                .contains(code));
    }

    private static String source(String file) throws IOException {
        return Files.readString(Path.of(file)).replaceAll("//.*|\\s", "");
    }

    private int status(String method, String path, String user) {
        return application.send(method, path, user, "{\"state\": \"drained\"}").statusCode();
    }

    @Configuration(proxyBeanMethods = false)
    static class Roles {

        @Bean
        SecurityFilterChain actuator(HttpSecurity http) throws Exception {
            return http.securityMatcher(EndpointRequest.to("leader", "leaderconsole"))
                    .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET)
                            .hasAnyRole("VIEWER", "OPERATOR")
                            .anyRequest()
                            .hasRole("OPERATOR"))
                    .httpBasic(Customizer.withDefaults())
                    // Forms of foreign pages send neither DELETE nor JSON.
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("viewer")
                            .password("{noop}secret")
                            .roles("VIEWER")
                            .build(),
                    User.withUsername("operator")
                            .password("{noop}secret")
                            .roles("OPERATOR")
                            .build());
        }
    }
}
