package dev.election.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.Recover;
import dev.election.ScheduledSlot;
import dev.election.harness.Children;
import dev.election.harness.PostgresServer;
import dev.election.testing.OtherServers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Two nodes with a job each second, whose PostgreSQL is away for longer than a lease and comes back with all that it has acknowledged. */
@OtherServers
class SlotsOnRestartedPostgresTest {

    private static final Duration LEASE = Duration.ofSeconds(3);

    /** The seconds for which the job was run, of both nodes. */
    private static final Queue<Long> RUNS = new ConcurrentLinkedQueue<>();

    @Test
    void each_slot_is_run_once_by_whoever_leads_then(@TempDir Path data) {
        try (Children children = new Children();
                PostgresServer database = new PostgresServer(children, data);
                ConfigurableApplicationContext one = start(database);
                ConfigurableApplicationContext other = start(database)) {
            List<ConfigurableApplicationContext> nodes = List.of(one, other);
            await("slots").until(() -> RUNS.size() >= 3);
            database.kill();
            await("the end of the leadership")
                    .until(() -> nodes.stream().noneMatch(SlotsOnRestartedPostgresTest::leads));
            Instant ended = Instant.now();
            database.restart();
            await("a leader").until(() -> nodes.stream().anyMatch(SlotsOnRestartedPostgresTest::leads));
            await("later slots").until(() -> RUNS.contains(ended.getEpochSecond() + LEASE.toSeconds() * 3));
        }
        long first = RUNS.stream().min(Long::compare).orElseThrow();
        long last = RUNS.stream().max(Long::compare).orElseThrow();
        assertThat(RUNS)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(first, last).boxed().toList());
    }

    private static boolean leads(ConfigurableApplicationContext node) {
        return node.getBean(Elections.class).get("default").isLeader();
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    private static ConfigurableApplicationContext start(PostgresServer database) {
        return new SpringApplicationBuilder(Application.class)
                .properties(
                        "spring.main.web-application-type=none",
                        "spring.datasource.url=jdbc:postgresql://127.0.0.1:" + database.port() + "/postgres",
                        "spring.datasource.username=" + PostgresServer.SUPERUSER,
                        "election.store=jdbc",
                        "election.jdbc.initialize-schema=always",
                        "election.lease=" + LEASE.toMillis() + "ms")
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {

        @Bean
        Job job() {
            return new Job();
        }
    }

    static class Job {

        @Scheduled(cron = "* * * * * *")
        @LeaderOnly(recoverWithin = "5m", recover = Recover.EVERY)
        public void run() {
            RUNS.add(ScheduledSlot.current().orElseThrow().scheduledAt().getEpochSecond());
        }
    }
}
