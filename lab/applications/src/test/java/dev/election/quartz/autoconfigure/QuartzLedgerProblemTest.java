package dev.election.quartz.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.harness.RedisBinary;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with a Quartz job over a Redis in which the log of fired slots can't be used. */
@ExtendWith(OutputCaptureExtension.class)
@RealTime
class QuartzLedgerProblemTest {

    private static final String KEY = "election:{default}:log";
    private static final String NOT_RUN = "Scheduled jobs of the election 'default' do not run";
    private static final String WILL_NOT_RUN = "Quartz jobs of the election 'default' will not run, or run twice";
    private static final String NOT_WRITTEN = "can't record which slots of scheduled jobs it has run";
    private static final AtomicInteger RUNS = new AtomicInteger();

    private final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    @AfterEach
    void close() {
        redis.close();
        RUNS.set(0);
    }

    @Test
    void a_key_of_another_type_stops_jobs_which_is_told_once_with_the_action_and_seen_in_health(CapturedOutput output) {
        redis.call(commands -> commands.set(KEY, "something else"));
        try (ConfigurableApplicationContext context = start()) {
            awaitDown(context, "WRONG_TYPE", "delete the key " + KEY);
            awaitLine(output, " WARN ", WILL_NOT_RUN);

            redis.call(commands -> commands.del(KEY));

            awaitUp(context, output);
        }
    }

    @Test
    void a_user_who_may_not_read_a_hash_stops_jobs_which_is_told_once_with_the_action_and_seen_in_health(
            CapturedOutput output) {
        redis.call(
                commands -> commands.aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.HGETALL)));
        try (ConfigurableApplicationContext context = start()) {
            awaitDown(context, "FORBIDDEN", "grant the Redis user HGET, HSET, HGETALL and HDEL on the key " + KEY);
            awaitLine(output, " WARN ", WILL_NOT_RUN);

            redis.call(commands -> commands.aclSetuser("default", AclSetuserArgs.Builder.allCommands()));

            awaitUp(context, output);
        }
    }

    @Test
    void a_user_who_may_not_remove_from_a_hash_is_told_of_at_the_start(CapturedOutput output) {
        redis.call(commands -> commands.aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.HDEL)));
        try (ConfigurableApplicationContext context = start()) {
            awaitLine(output, " WARN ", WILL_NOT_RUN);
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void a_log_that_can_t_be_written_any_more_is_told_once_and_seen_in_health_which_stays_up(CapturedOutput output) {
        try (ConfigurableApplicationContext context = start()) {
            Nodes.await("it runs").until(() -> RUNS.get() > 0);
            redis.call(commands -> {
                commands.del(KEY);
                return commands.set(KEY, "something else");
            });

            Nodes.await("the problem is seen")
                    .until(() -> details(context).get("jobs") instanceof Map<?, ?> quartz
                            && quartz.get("problem").toString().equals("WRONG_TYPE"));
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            int runs = RUNS.get();
            Nodes.await("it goes on").until(() -> RUNS.get() > runs + 3);
            redis.call(commands -> commands.del(KEY));
            Nodes.await("it is over").until(() -> !details(context).containsKey("jobs"));
            assertThat(output.getAll().lines().filter(line -> line.contains(NOT_WRITTEN)))
                    .hasSize(1);
            awaitLine(output, " INFO ", "can be written again");
        }
    }

    private static void awaitDown(ConfigurableApplicationContext context, String problem, String action) {
        Nodes.await("this node leads")
                .until(() -> context.getBean(Elections.class).get("default").isLeader());
        Nodes.await("down").until(() -> health(context).getStatus().equals(Status.DOWN));
        assertThat(details(context).get("jobs"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .hasEntrySatisfying("problem", found -> assertThat(found).hasToString(problem))
                .hasEntrySatisfying(
                        "action", found -> assertThat(found.toString()).contains(action))
                .containsKeys("detail", "since");
        assertThat(RUNS).hasValue(0);
    }

    private static void awaitUp(ConfigurableApplicationContext context, CapturedOutput output) {
        Nodes.await("it runs").until(() -> RUNS.get() > 0);
        assertThat(health(context).getStatus()).isEqualTo(Status.UP);
        awaitLine(output, " INFO ", "can be read again");
        assertThat(output.getAll().lines().filter(line -> line.contains(NOT_RUN)))
                .hasSize(1)
                .allMatch(line -> line.contains(" ERROR ") && line.contains(KEY));
        assertThat(output.getAll().lines().filter(line -> line.contains(WILL_NOT_RUN)))
                .hasSize(1)
                .allMatch(line -> line.contains(KEY));
    }

    private static void awaitLine(CapturedOutput output, String level, String text) {
        Nodes.await(text)
                .until(() -> output.getAll().lines().anyMatch(line -> line.contains(level) && line.contains(text)));
    }

    private static Health health(ConfigurableApplicationContext context) {
        return context.getBean(LeaderHealthIndicator.class).health();
    }

    private static Map<?, ?> details(ConfigurableApplicationContext context) {
        return (Map<?, ?>) health(context).getDetails().get("default");
    }

    private ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port())
                .properties("spring.main.banner-mode=off", "spring.data.redis.repositories.enabled=false")
                .properties("logging.level.dev.election=info")
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        JobDetail job() {
            return JobBuilder.newJob(Counted.class)
                    .withIdentity("job")
                    .storeDurably()
                    .build();
        }

        @Bean
        Trigger trigger(JobDetail job) {
            return TriggerBuilder.newTrigger()
                    .withIdentity("job")
                    .forJob(job)
                    .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                            .withIntervalInMilliseconds(200)
                            .repeatForever())
                    .build();
        }
    }

    public static class Counted implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            RUNS.incrementAndGet();
        }
    }
}
