package dev.election.scheduling;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.Recover;
import dev.election.ScheduledSlot;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionJobsAutoConfiguration;
import dev.election.autoconfigure.ElectionLifecycleAutoConfiguration;
import dev.election.autoconfigure.ElectionParticipationAutoConfiguration;
import dev.election.autoconfigure.ElectionSchedulingAutoConfiguration;
import dev.election.autoconfigure.redis.ElectionRedisAutoConfiguration;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
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
    ElectionLifecycleAutoConfiguration.class,
    ElectionJobsAutoConfiguration.class,
    ElectionSchedulingAutoConfiguration.class,
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
    Writing writing(@Value("${test.history}") Path history) {
        return new Writing(history);
    }

    /** One line a run, written at once: the slot, the token, what time it is for all, the process, and why. */
    public static class Writing {

        private final Path history;

        Writing(Path history) {
            this.history = history;
        }

        @Scheduled(cron = "* * * * * *")
        @LeaderOnly(recoverWithin = "5m", recover = Recover.EVERY)
        public void run() throws InterruptedException {
            ScheduledSlot slot = ScheduledSlot.current().orElseThrow();
            append(slot.scheduledAt().toEpochMilli() + " "
                    + FencingToken.current().orElseThrow() + " "
                    + System.currentTimeMillis() + " " + ProcessHandle.current().pid() + " "
                    + (slot.isRerun() ? "again" : slot.isRecovery() ? "late" : "due") + "\n");
            if (slot.isRecovery()) {
                return;
            }
            // Long enough to be killed inside.
            Thread.sleep(50);
        }

        private void append(String line) {
            try (FileOutputStream file = new FileOutputStream(history.toFile(), true)) {
                file.write(line.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
