package com.example;

import dev.election.LeaderOnly;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpMethod;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

@SpringBootApplication
@EnableScheduling
public class Application {

    private volatile int port;
    private volatile boolean asked;

    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    @Bean
    SecurityFilterChain leaderEndpoint(HttpSecurity http) throws Exception {
        return http.securityMatcher(EndpointRequest.to("leader", "leaderconsole"))
                .authorizeHttpRequests(requests -> requests
                        .requestMatchers(HttpMethod.GET).hasAnyRole("VIEWER", "OPERATOR")
                        .anyRequest().hasRole("OPERATOR"))
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable())
                .build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("viewer").password("{noop}v").roles("VIEWER").build(),
                User.withUsername("operator").password("{noop}o").roles("OPERATOR").build());
    }

    @EventListener
    void started(WebServerInitializedEvent event) {
        port = event.getWebServer().getPort();
    }

    @LeaderOnly
    @Scheduled(fixedDelay = 200)
    public void job() throws Exception {
        System.out.println("The job runs");
        if (!asked) {
            asked = true;
            System.out.println("Without a login: " + status("GET", "default", ""));
            System.out.println("A viewer reads: " + status("GET", "default", "viewer:v"));
            System.out.println("A viewer deletes: " + status("DELETE", "default", "viewer:v"));
            System.out.println("A viewer drains: " + status("POST", "members/gone", "viewer:v"));
            System.out.println("An operator reads: " + status("GET", "default", "operator:o"));
            System.out.println("An operator drains a node that is not there: " + status("POST", "members/gone", "operator:o"));
        }
    }

    private int status(String method, String path, String login) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://localhost:" + port + "/actuator/leader/" + path))
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString("{\"state\": \"drained\"}"));
        if (!login.isEmpty()) {
            String encoded = Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
            request.header("Authorization", "Basic " + encoded);
        }
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding()).statusCode();
    }
}
