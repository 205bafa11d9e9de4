package com.example;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import java.time.Duration;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

@SpringBootApplication
@EnableScheduling
public class Application {

    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    @LeaderOnly
    @Scheduled(fixedDelay = 200)
    public Mono<Void> job() {
        boolean hasToken = FencingToken.current().isPresent();
        return Mono.delay(Duration.ofMillis(50))
                .doOnNext(end -> System.out.println("The publisher ends, with a fencing token: " + hasToken))
                .then();
    }
}
