package dev.election.steering;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderWork;
import dev.election.testing.Excluded;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What a scheduler gets besides to be an application that an operator reaches: all that Spring Boot configures, and work of the leader. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class OverHttp {

    /** What a scheduler has to be told for that. */
    public static List<String> arguments(int port) {
        return List.of(
                "--spring.main.sources=" + OverHttp.class.getName(),
                "--spring.main.web-application-type=servlet",
                "--spring.autoconfigure.exclude=" + Excluded.SECURITY,
                "--server.address=127.0.0.1",
                "--server.port=" + port,
                "--management.endpoints.web.exposure.include=health,leader",
                "--management.endpoint.leader.access=unrestricted",
                "--management.endpoint.health.show-details=always");
    }

    @Bean
    @ConditionalOnProperty("test.beliefs")
    BeliefFile beliefs(Elections elections, @Value("${test.beliefs}") Path folder) {
        return new BeliefFile(elections.get(Election.DEFAULT), folder);
    }

    /** Work that a request asks for. */
    @RestController
    static class Works {

        private final Election election;
        private final AtomicInteger running = new AtomicInteger();

        Works(Elections elections) {
            election = elections.get(Election.DEFAULT);
        }

        @GetMapping("/work")
        int running() {
            return running.get();
        }

        /** Returns the token, whether the work was still that of the leader at its end, and when that was. */
        @PostMapping("/work")
        String work(@RequestParam("millis") long millis) throws InterruptedException {
            running.incrementAndGet();
            try (LeaderWork work = election.beginWork().orElseThrow()) {
                TimeUnit.MILLISECONDS.sleep(millis);
                return work.token() + " " + work.isCurrent() + " " + System.currentTimeMillis();
            } finally {
                running.decrementAndGet();
            }
        }
    }
}
