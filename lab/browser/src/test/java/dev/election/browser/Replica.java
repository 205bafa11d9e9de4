package dev.election.browser;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeaderWork;
import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import java.util.List;
import java.util.Optional;
import java.util.Scanner;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * An application with two elections and three jobs. It says on which ports it listens, and begins and ends leader work when it is told to on
 * standard input. It ends when standard input does.
 */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableScheduling
@Import(SignIn.class)
class Replica {

    static final String SECOND_ELECTION = "reports";

    private final Elections elections;

    Replica(Elections elections) {
        this.elections = elections;
    }

    public static void main(String[] arguments) {
        try (ConfigurableApplicationContext context = SpringApplication.run(Replica.class, arguments);
                Scanner commands = new Scanner(System.in)) {
            Election election = context.getBean(Elections.class).get(Election.DEFAULT);
            Optional<LeaderWork> work = Optional.empty();
            System.out.println("ready");
            while (commands.hasNextLine()) {
                String command = commands.nextLine();
                if (command.equals("work")) {
                    work = election.beginWork();
                } else if (command.equals("rest")) {
                    work.ifPresent(LeaderWork::close);
                }
                System.out.println(command + " " + work.isPresent());
            }
        }
    }

    @EventListener
    void listens(WebServerInitializedEvent event) {
        String namespace = event.getApplicationContext().getServerNamespace();
        System.out.println("port " + (namespace == null ? "server" : namespace) + " "
                + event.getWebServer().getPort());
        elections.get(SECOND_ELECTION);
    }

    @LeaderOnly(job = "reports.hourly")
    @Scheduled(cron = "* * * * * *")
    void report() {}

    @LeaderOnly(job = "reports.monthly")
    @Scheduled(cron = "0 0 3 1 1 *")
    void reportMonth() {}

    @LeaderOnly(job = "billing")
    @Scheduled(cron = "*/5 * * * * *")
    void fail() {
        throw new IllegalStateException("as a test of the page");
    }

    @Bean
    static Check finding() {
        return () -> CompletableFuture.completedFuture(List.of(new Finding(
                "Redis evicts keys when it runs out of memory (maxmemory-policy is allkeys-lru), leases included",
                "Set maxmemory-policy to noeviction")));
    }
}
