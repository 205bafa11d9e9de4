package dev.election.quartz.internal;

import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionJobsAutoConfiguration;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionParticipationAutoConfiguration;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.NoLedgerStore;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.quartz.QuartzMode;
import dev.election.quartz.autoconfigure.ElectionQuartzAutoConfiguration;
import dev.election.quartz.internal.rules.GuardRules;
import dev.election.quartz.internal.rules.QuartzSettings;
import dev.election.quartz.internal.rules.SchedulerChoice;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.StoreTransactions;
import dev.election.quartz.internal.turns.QuartzGuards;
import dev.election.redis.autoconfigure.ElectionRedisAutoConfiguration;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.testing.DeadlyLedgerStore;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application with a job every second, which writes down each of its runs. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    DataRedisAutoConfiguration.class,
    ElectionRedisAutoConfiguration.class,
    ElectionAutoConfiguration.class,
    ElectionParticipationAutoConfiguration.class,
    ElectionAopAutoConfiguration.class,
    ElectionJobsAutoConfiguration.class,
    ElectionQuartzAutoConfiguration.class,
    QuartzAutoConfiguration.class,
    LifecycleAutoConfiguration.class,
    PropertyPlaceholderAutoConfiguration.class
})
public class ScheduledApplication {

    static final Duration LEASE = Duration.ofSeconds(2);

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(ScheduledApplication.class);
        application.setDefaultProperties(Map.of(
                "election.lease", LEASE.toMillis() + "ms",
                "spring.main.banner-mode", "off",
                "spring.main.keep-alive", "true",
                "spring.main.web-application-type", "none",
                "logging.level.dev.election", "debug",
                "spring.data.redis.host", "127.0.0.1",
                "spring.quartz.properties[org.quartz.jobStore.class]", ShiftedJobStore.class.getName(),
                "spring.quartz.properties[org.quartz.jobStore.shift]", "${test.shift}",
                "spring.quartz.properties[org.quartz.threadPool.threadCount]", "4"));
        application.run(arguments);
    }

    @Bean
    JobDetail job(
            @Value("${test.history}") String history,
            @Value("${test.die:}") String die,
            @Value("${test.rerun:false}") boolean rerun) {
        return JobBuilder.newJob(WritingJob.class)
                .withIdentity("job")
                .usingJobData("history", history)
                .usingJobData("dies", die.equals("running"))
                .requestRecovery(rerun)
                .storeDurably()
                .build();
    }

    @Bean
    Trigger trigger(JobDetail job, @Value("${test.shift}") long shift) {
        return TriggerBuilder.newTrigger()
                .withIdentity("job")
                .forJob(job)
                .startAt(new Date(System.currentTimeMillis() + shift))
                .withSchedule(
                        CronScheduleBuilder.cronSchedule("* * * * * ?").withMisfireHandlingInstructionIgnoreMisfires())
                .build();
    }

    /** That of the store, over which the process may end between two steps. */
    @Bean
    LedgerStore ledgerStore(LeaseStore store, @Value("${test.die:}") String die) {
        return new DeadlyLedgerStore(store.ledgerStore().orElseThrow(), "/slot/DEFAULT/job", die);
    }

    /** As the auto-configuration makes them, but by the clock of this node. */
    @Bean
    SharedLedgers ledgers(
            ObjectProvider<Elections> elections,
            ObjectProvider<LedgerStore> ledger,
            @Value("${test.shift}") long shift) {
        return new SharedLedgers(elections::getObject, need -> ledger.getObject(), () -> Instant.now()
                .plusMillis(shift));
    }

    /** As the auto-configuration makes them, but by the clock of this node. */
    @Bean
    QuartzGuards guards(
            ObjectProvider<Elections> elections, SharedLedgers ledgers, @Value("${test.shift}") long shift) {
        return new QuartzGuards(
                elections::getObject,
                new QuartzSettings(
                        new GuardRules(name -> name, Map.of(), "default"),
                        new SchedulerChoice(QuartzMode.AUTO, "default", true, Duration.ofMinutes(5))),
                new JobRecords(
                        ledgers,
                        new JobHistory(elections::getObject, NoLedgerStore::new, 0, InstantSource.system(), run -> {})),
                QuartzObserver.NONE,
                StoreTransactions.NONE,
                () -> Instant.now().plusMillis(shift));
    }

    /** One line a run, written at once: the slot, the token, and what time it is for all. */
    public static class WritingJob implements Job {

        private static final AtomicInteger RUNS = new AtomicInteger();

        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            String line = context.getScheduledFireTime().getTime() + " "
                    + FencingToken.current().orElseThrow() + " " + System.currentTimeMillis() + " "
                    + ProcessHandle.current().pid() + " "
                    + context.getTrigger().getKey() + (context.isRecovering() ? " again" : "") + "\n";
            try (FileOutputStream history =
                    new FileOutputStream(context.getMergedJobDataMap().getString("history"), true)) {
                history.write(line.getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new JobExecutionException(e);
            }
            if (context.getMergedJobDataMap().containsKey("dies")
                    && context.getMergedJobDataMap().getBoolean("dies")
                    && RUNS.incrementAndGet() == DeadlyLedgerStore.TIMES) {
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
