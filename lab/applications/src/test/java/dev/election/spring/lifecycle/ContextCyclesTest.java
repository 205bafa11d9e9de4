package dev.election.spring.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.election.Election;
import dev.election.Elections;
import dev.election.harness.RedisBinary;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** What an application leaves behind: nothing. */
@RealTime
class ContextCyclesTest {

    @AutoClose
    private static RedisServer redis;

    @BeforeAll
    static void start_redis() {
        redis = RedisServer.start(RedisBinary.REDIS_7_0);
        // What lives as long as the process, such as the executors of the client library, is there from now on.
        cycle();
        // So is the timer of the JDK, which a cycle needs only where a listener is waited for.
        CompletableFuture.runAsync(() -> {}, CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS, Runnable::run))
                .join();
    }

    @Test
    void fifty_cycles_leave_no_thread_and_no_connection() {
        Set<Thread> before = threads();
        for (int i = 0; i < 50; i++) {
            cycle();
        }
        await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
            assertThat(namesBeside(before)).isEmpty();
            assertThat(RedisApplication.connections(redis)).isZero();
        });
    }

    @Test
    void no_thread_of_an_application_that_leads_keeps_the_process_alive() throws InterruptedException {
        Set<Thread> before = threads();
        try (ConfigurableApplicationContext context = RedisApplication.run(redis)) {
            Election election = context.getBean(Elections.class).get(Election.DEFAULT);
            assertThat(election.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            assertThat(threads().stream().filter(thread -> !before.contains(thread)))
                    .isNotEmpty()
                    .allMatch(Thread::isDaemon);
        }
    }

    private static void cycle() {
        try (ConfigurableApplicationContext context = RedisApplication.run(redis)) {
            Election election = context.getBean(Elections.class).get(Election.DEFAULT);
            assertThat(election.awaitLeadership(Duration.ofSeconds(20))).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet();
    }

    private static Set<String> namesBeside(Set<Thread> known) {
        return threads().stream()
                .filter(thread -> !known.contains(thread))
                .map(Thread::getName)
                .filter(name -> !name.startsWith("awaitility"))
                .collect(Collectors.toSet());
    }
}
