package dev.election.browser;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The two ways to sign in that the documentation shows. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("test.sign-in")
class SignIn {

    static final String PASSWORD = "secret";

    @Bean
    @Order(1)
    @ConditionalOnProperty(name = "test.sign-in", havingValue = "basic")
    SecurityFilterChain basic(HttpSecurity http) throws Exception {
        return http.securityMatcher(EndpointRequest.to("leader", "leaderconsole"))
                .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET)
                        .hasAnyRole("VIEWER", "OPERATOR")
                        .anyRequest()
                        .hasRole("OPERATOR"))
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.spa())
                .build();
    }

    @Bean
    @Order(1)
    @ConditionalOnProperty(name = "test.sign-in", havingValue = "form")
    SecurityFilterChain form(HttpSecurity http) throws Exception {
        return http.securityMatchers(matched -> matched.requestMatchers(EndpointRequest.to("leader", "leaderconsole"))
                        .requestMatchers("/login", "/logout", "/default-ui.css"))
                .authorizeHttpRequests(requests -> requests.requestMatchers(HttpMethod.GET)
                        .hasAnyRole("VIEWER", "OPERATOR")
                        .anyRequest()
                        .hasRole("OPERATOR"))
                .formLogin(Customizer.withDefaults())
                .csrf(csrf -> csrf.spa())
                .build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(user("viewer", "VIEWER"), user("operator", "OPERATOR"));
    }

    private static UserDetails user(String name, String role) {
        return User.withUsername(name).password("{noop}" + PASSWORD).roles(role).build();
    }
}
