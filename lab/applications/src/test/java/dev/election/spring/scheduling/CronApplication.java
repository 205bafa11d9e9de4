package dev.election.spring.scheduling;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.Recover;
import dev.election.ScheduledSlot;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionJobsAutoConfiguration;
import dev.election.autoconfigure.ElectionParticipationAutoConfiguration;
import dev.election.redis.autoconfigure.ElectionRedisAutoConfiguration;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.testing.DeadlyLedgerStore;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** An application with a guarded cron method every second, which writes down each of its runs. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
@ImportAutoConfiguration({
    DataRedisAutoConfiguration.class,
    ElectionRedisAutoConfiguration.class,
    ElectionAutoConfiguration.class,
    ElectionAopAutoConfiguration.class,
    ElectionParticipationAutoConfiguration.class,
    ElectionJobsAutoConfiguration.class,
    LifecycleAutoConfiguration.class,
    PropertyPlaceholderAutoConfiguration.class
})
public class CronApplication {

    static final Duration LEASE = Duration.ofSeconds(2);

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(CronApplication.class);
        application.setDefaultProperties(Map.of(
                "election.lease", LEASE.toMillis() + "ms",
                "spring.main.banner-mode", "off",
                "spring.main.keep-alive", "true",
                "spring.main.web-application-type", "none",
                "spring.data.redis.host", "127.0.0.1",
                "logging.level.dev.election", "debug"));
        application.run(arguments);
    }

    /** A scheduler by a clock that is as far ahead as the test wants. */
    @Bean
    ThreadPoolTaskScheduler taskScheduler(@Value("${test.shift}") long shift) {
        ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
        scheduler.setClock(Clock.offset(Clock.systemUTC(), Duration.ofMillis(shift)));
        return scheduler;
    }

    @Bean
    @ConditionalOnProperty("test.latest")
    Latest latest(@Value("${test.history}") Path history, @Value("${test.die:}") String die) {
        return new Latest(new History(history, die));
    }

    @Bean
    @ConditionalOnProperty(
            name = {"test.rerun", "test.latest"},
            havingValue = "false",
            matchIfMissing = true)
    Once once(@Value("${test.history}") Path history, @Value("${test.die:}") String die) {
        return new Once(new History(history, die));
    }

    @Bean
    @ConditionalOnProperty("test.rerun")
    Again again(@Value("${test.history}") Path history, @Value("${test.die:}") String die) {
        return new Again(new History(history, die));
    }

    /** That of the store, over which the process may end between two steps. */
    @Bean
    LedgerStore ledgerStore(LeaseStore store, @Value("${test.die:}") String die) {
        return new DeadlyLedgerStore(store.ledgerStore().orElseThrow(), "/claimed/", die);
    }

    /** A job that is not run again. */
    public static class Once {

        private final History history;

        Once(History history) {
            this.history = history;
        }

        @Scheduled(cron = "* * * * * *")
        @LeaderOnly(recoverWithin = "5m", recover = Recover.EVERY)
        public void run() throws InterruptedException {
            history.run();
        }
    }

    /** A job of whose missed slots the latest is run. */
    public static class Latest {

        private final History history;

        Latest(History history) {
            this.history = history;
        }

        @Scheduled(cron = "* * * * * *")
        @LeaderOnly(recoverWithin = "5m")
        public void run() throws InterruptedException {
            history.run();
        }
    }

    /** A job that is run again. */
    public static class Again {

        private final History history;

        Again(History history) {
            this.history = history;
        }

        @Scheduled(cron = "* * * * * *")
        @LeaderOnly(recoverWithin = "5m", recover = Recover.EVERY, rerunInterrupted = true)
        public void run() throws InterruptedException {
            history.run();
        }
    }

    /** One line a run, written at once: the slot, the token, what time it is for all, the process, and why. */
    private static final class History {

        private final Path file;
        private final boolean dies;
        private final AtomicInteger runs = new AtomicInteger();

        private History(Path file, String die) {
            this.file = file;
            this.dies = die.equals("running");
        }

        void run() throws InterruptedException {
            ScheduledSlot slot = ScheduledSlot.current().orElseThrow();
            append(slot.scheduledAt().toEpochMilli() + " "
                    + FencingToken.current().orElseThrow() + " "
                    + System.currentTimeMillis() + " " + ProcessHandle.current().pid() + " "
                    + (slot.isRerun() ? "again" : slot.isRecovery() ? "late" : "due") + "\n");
            if (dies && runs.incrementAndGet() == DeadlyLedgerStore.TIMES) {
                Runtime.getRuntime().halt(1);
            }
            if (!slot.isRecovery()) {
                // Long enough to be killed inside.
                Thread.sleep(50);
            }
        }

        private void append(String line) {
            try (FileOutputStream out = new FileOutputStream(file.toFile(), true)) {
                out.write(line.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
