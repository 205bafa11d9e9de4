package com.example;

import dev.election.LeaderOnly;
import dev.election.members.NodeMessageHandler;
import dev.election.routing.OnLeader;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that uses the library in each of the ways whose classes are counted. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableScheduling
public class WalkedApplication {

    /** What only the leader does, and what each node answers. Found because it stands in a configuration. */
    @RestController
    public static class Work {

        private final AtomicInteger runs = new AtomicInteger();

        @LeaderOnly
        public void guarded() {
            runs.incrementAndGet();
        }

        @Scheduled(cron = "${walked.cron:-}")
        @LeaderOnly(recoverWithin = "PT1M")
        public void scheduled() {
            runs.incrementAndGet();
        }

        @NodeMessageHandler("walked")
        public String message(String body) {
            return body;
        }

        @OnLeader
        @GetMapping("/walked")
        public String request() {
            return "served";
        }

        public int runs() {
            return runs.get();
        }
    }
}
