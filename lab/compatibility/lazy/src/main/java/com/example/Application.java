package com.example;

import dev.election.LeaderOnly;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

@SpringBootApplication
@EnableScheduling
public class Application {

    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

    @LeaderOnly
    @Scheduled(fixedDelay = 200)
    public void job() {
        System.out.println("The job runs");
    }

    @Component
    @LeaderOnly
    static class Poller implements SmartLifecycle {

        private volatile boolean running;

        @Override
        public void start() {
            running = true;
            System.out.println("The poller starts");
        }

        @Override
        public void stop() {
            running = false;
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }
}
