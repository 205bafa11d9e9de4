package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** An application that stops while its work takes longer than it waits for. */
@ExtendWith(OutputCaptureExtension.class)
@RealTime
class OutlastingWorkWarningTest {

    private static CountDownLatch begun;
    private static CountDownLatch mayEnd;

    @BeforeEach
    void reset() {
        begun = new CountDownLatch(1);
        mayEnd = new CountDownLatch(1);
    }

    @AfterEach
    void end() {
        mayEnd.countDown();
    }

    @Test
    void a_guarded_method_that_outlasts_the_shutdown_is_named(CapturedOutput output) throws InterruptedException {
        try (ConfigurableApplicationContext context = start(Jobs.class)) {
            Election election = context.getBean(Elections.class).get(Election.DEFAULT);
            Nodes.await("it leads").until(election::isLeader);
            Jobs jobs = context.getBean(Jobs.class);
            Thread thread = new Thread(jobs::nightly, "nightly");
            thread.setDaemon(true);
            thread.start();
            begun.await();
        }
        assertThat(output.getAll().lines())
                .filteredOn(line -> line.contains("while leader work is still running"))
                .singleElement()
                .asString()
                .contains(" WARN ", "(STOPPED) while leader work is still running: Jobs.nightly, running for ");
    }

    @Test
    void a_Quartz_job_that_outlasts_the_shutdown_is_named(CapturedOutput output) throws InterruptedException {
        try (ConfigurableApplicationContext context = start(Schedule.class)) {
            assertThat(context.isActive()).isTrue();
            begun.await();
        }
        assertThat(output.getAll().lines())
                .filteredOn(line -> line.contains("while leader work is still running"))
                .singleElement()
                .asString()
                .contains(" WARN ", "(STOPPED) while leader work is still running: job billing.invoices, running for ");
    }

    @Test
    void work_that_ends_in_time_is_not_named(CapturedOutput output) {
        mayEnd.countDown();
        try (ConfigurableApplicationContext context = start(Jobs.class)) {
            Nodes.await("it leads").until(context.getBean(Elections.class).get(Election.DEFAULT)::isLeader);
            context.getBean(Jobs.class).nightly();
        }
        assertThat(output).doesNotContain("while leader work is still running");
    }

    private static ConfigurableApplicationContext start(Class<?> work) {
        return new SpringApplicationBuilder(Application.class)
                .sources(work)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties("election.lease=3s", "election.shutdown.await=200ms", "spring.main.banner-mode=off")
                .initializers((ApplicationContextInitializer<GenericApplicationContext>) fresh -> {
                    fresh.registerBean(LeaseStore.class, ElectionContext::store);
                    fresh.registerBean(LedgerStore.class, InMemoryLedgerStore::new);
                })
                .run();
    }

    private static void work() {
        begun.countDown();
        try {
            mayEnd.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = DataRedisAutoConfiguration.class,
            excludeName = {
                "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration"
            })
    static class Application {}

    static class Jobs {

        @LeaderOnly
        public void nightly() {
            work();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Schedule {

        @Bean
        JobDetail invoices() {
            return JobBuilder.newJob(Invoices.class)
                    .withIdentity("invoices", "billing")
                    .storeDurably()
                    .build();
        }

        @Bean
        Trigger soon(JobDetail invoices) {
            return TriggerBuilder.newTrigger()
                    .forJob(invoices)
                    .withSchedule(SimpleScheduleBuilder.repeatSecondlyForever())
                    .build();
        }
    }

    public static class Invoices implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            work();
        }
    }
}
