package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.testing.Nodes;
import dev.election.testing.OperatedApplication;
import dev.election.testing.RealTime;
import org.junit.jupiter.api.AfterEach;
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

/** The application of the documentation: one role may look, another may make a leader abdicate. */
@RealTime
class LeaderEndpointSecurityTest {

    private final OperatedApplication application =
            new OperatedApplication("management.endpoint.leader.access=unrestricted");
    private Election leader;

    @BeforeEach
    void start() {
        leader = application.join("first");
        Nodes.await("a leader").until(leader::isLeader);
        application.start(WebApplicationType.SERVLET, Roles.class);
    }

    @AfterEach
    void close() {
        application.close();
    }

    @Test
    void nobody_sees_anything_without_a_name() {
        assertThat(application.send("GET", "leader", null).statusCode()).isEqualTo(401);
        assertThat(application.send("DELETE", "leader/default", null).statusCode())
                .isEqualTo(401);
    }

    @Test
    void whoever_asks_for_the_health_of_the_application_needs_no_name() {
        assertThat(application.send("GET", "health", null).statusCode()).isEqualTo(200);
    }

    @Test
    void who_may_read_can_not_write() {
        assertThat(application.send("GET", "leader/default", "viewer").statusCode())
                .isEqualTo(200);
        assertThat(application.send("DELETE", "leader/default", "viewer").statusCode())
                .isEqualTo(403);
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    void who_may_write_makes_the_leader_abdicate() {
        assertThat(application.send("GET", "leader", "operator").statusCode()).isEqualTo(200);
        assertThat(application.send("DELETE", "leader/default", "operator").statusCode())
                .isEqualTo(200);
        assertThat(leader.isLeader()).isFalse();
    }

    @Configuration(proxyBeanMethods = false)
    static class Roles {

        @Bean
        SecurityFilterChain actuator(HttpSecurity http) throws Exception {
            return http.securityMatcher(EndpointRequest.to("leader", "leaderconsole"))
                    .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.DELETE)
                            .hasRole("OPERATOR")
                            .anyRequest()
                            .hasAnyRole("VIEWER", "OPERATOR"))
                    .httpBasic(Customizer.withDefaults())
                    // No form of a foreign page sends a DELETE.
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
