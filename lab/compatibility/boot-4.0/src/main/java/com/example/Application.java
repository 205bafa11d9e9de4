package com.example;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

@SpringBootApplication
@EnableScheduling
public class Application {

    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    @LeaderOnly
    @Scheduled(fixedDelay = 200)
    public void job() {
        System.out.println("The job runs, with a fencing token: " + FencingToken.current().isPresent());
    }
}
