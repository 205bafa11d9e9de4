package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.ScheduledSlot;
import dev.election.spring.scheduling.SlotSchedulingConfigurer;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import dev.election.testing.HandDrivenElections;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.SimpleAsyncTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import reactor.core.publisher.Mono;

/** Guarded cron methods in an application, with the schedulers of Spring and real time. */
class SchedulingAutoConfigurationTest {

    private final HandDrivenElections elections = new HandDrivenElections();
    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();

    private final ApplicationContextRunner runner = ElectionContext.inMemory()
            .withBean(Elections.class, () -> elections)
            .withBean(LedgerStore.class, () -> ledger);

    /** Each of these tests waits for schedules of the next seconds, so all wait at the same time. */
    @Nested
    @Execution(ExecutionMode.CONCURRENT)
    class InTime {

        @Test
        void plain_asynchronous_and_reactive_methods_know_their_slot_and_run_each_once() {
            elections.get("default").lead(5);
            runner.withUserConfiguration(Scheduling.class)
                    .withBean(Jobs.class)
                    .run(context -> assertThatAllRun(context, 2));
        }

        @Test
        void a_scheduler_with_a_thread_for_each_run_is_told_apart_by_slots_too() {
            elections.get("default").lead(5);
            runner.withUserConfiguration(Scheduling.class)
                    .withBean(TaskScheduler.class, SimpleAsyncTaskScheduler::new)
                    .withBean(Jobs.class)
                    .run(context -> assertThatAllRun(context, 3));
        }

        @Test
        void missed_slots_of_all_kinds_of_methods_are_run_by_the_next_leader() {
            elections.get("default").lead(5);
            runner.withUserConfiguration(Scheduling.class)
                    .withBean(Jobs.class)
                    .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                    .run(context -> {
                        Jobs jobs = context.getBean(Jobs.class);
                        assertThatAllRun(context, 1);
                        elections.follow("default");
                        Instant lost = Instant.now();
                        Awaitility.await().until(() -> Instant.now().isAfter(lost.plusMillis(1100)));
                        elections.get("default").lead(6);

                        await("the late runs").untilAsserted(() -> assertThat(jobs.ran())
                                .contains("plain late 6", "async late 6", "reactive late 6"));
                        Counter recovered = context.getBean(MeterRegistry.class)
                                .get("election.jobs.recovered")
                                .tag("scheduled_job", "schedulingAutoConfigurationTest.Jobs.plain")
                                .counter();
                        await("they are counted").untilAsserted(() -> assertThat(recovered.count())
                                .isPositive());
                    });
        }

        @Test
        void the_scheduler_that_a_configurer_of_the_application_chooses_is_used() {
            elections.get("default").lead(5);
            runner.withUserConfiguration(Scheduling.class, OwnScheduler.class)
                    .withBean(Jobs.class)
                    .run(context -> {
                        assertThatAllRun(context, 1);
                        assertThat(context.getBean(Jobs.class).threads()).allMatch(name -> name.startsWith("own-"));
                    });
        }
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void an_application_without_scheduling_is_told_that_nothing_calls_its_jobs(CapturedOutput output) {
        runner.withBean(Jobs.class).run(context -> {
            ready(context);
            assertThat(output)
                    .contains("Jobs with recoverWithin are not called at all")
                    .contains("@EnableScheduling");
        });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void a_scheduler_that_is_set_after_that_is_told_with_what_to_do(CapturedOutput output) {
        runner.withBean(Jobs.class).run(context -> {
            SlotSchedulingConfigurer configurer = context.getBean(SlotSchedulingConfigurer.class);
            ScheduledTaskRegistrar tasks = new ScheduledTaskRegistrar();
            tasks.setTaskScheduler(OwnScheduler.scheduler());
            configurer.configureTasks(tasks);
            configurer.check();
            assertThat(output).doesNotContain("recoverWithin");

            tasks.setTaskScheduler(OwnScheduler.scheduler());
            configurer.check();

            assertThat(output)
                    .contains("The slots of jobs with recoverWithin are not recorded and not recovered")
                    .contains("Action: give it an @Order");
        });
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void nothing_is_said_to_applications_without_such_jobs(CapturedOutput output) {
        runner.run(context -> {
            ready(context);
            assertThat(output).doesNotContain("recoverWithin");
        });
    }

    @Test
    void without_a_ledger_nothing_can_be_recovered() {
        runner.withUserConfiguration(Scheduling.class)
                .withPropertyValues("election.jobs.ledger=off")
                .withBean(Jobs.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ElectionConfigurationException.class)
                        .hasMessageContaining("slots are not recorded"));
    }

    @Test
    void a_store_that_keeps_no_ledger_fails_the_start_and_the_analysis_names_the_jobs_and_what_to_do() {
        assertNeedsLedgerStore(Jobs.class, "recoverWithin of [", ".plain");
        assertNeedsLedgerStore(Spaced.class, "atLeastFor of [", ".now");
    }

    private static void assertNeedsLedgerStore(Class<?> jobs, String... what) {
        ElectionContext.inMemory()
                .withUserConfiguration(Scheduling.class)
                .withBean(jobs)
                .run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = new ElectionFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains(what).contains("its lease store has no LedgerStore");
                    assertThat(analysis.getAction())
                            .contains("Define a LedgerStore bean")
                            .contains("or remove these");
                });
    }

    @Test
    void a_call_that_runs_for_too_long_is_interrupted_and_the_thread_of_its_caller_goes_on() {
        elections.get("default").lead(5);
        runner.withBean(Slow.class).run(context -> {
            assertThat(context.getBean(Slow.class).run()).isEqualTo("interrupted");
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(elections.get("default").isLeader()).isTrue();
        });
    }

    private static void ready(AssertableApplicationContext context) {
        context.publishEvent(new ApplicationReadyEvent(
                new SpringApplication(), new String[0], context.getSourceApplicationContext(), Duration.ZERO));
    }

    /** So often each method has run at its time, never twice for a slot. */
    private static void assertThatAllRun(AssertableApplicationContext context, int times) {
        Jobs jobs = context.getBean(Jobs.class);
        await("runs").untilAsserted(() -> {
            for (String kind : List.of("plain", "async", "reactive")) {
                assertThat(jobs.ran().stream().filter((kind + " due 5")::equals))
                        .hasSizeGreaterThanOrEqualTo(times);
            }
        });
        assertThat(jobs.slots()).doesNotHaveDuplicates();
    }

    private static org.awaitility.core.ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(20));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @EnableAsync
    static class Scheduling {}

    @Configuration(proxyBeanMethods = false)
    static class OwnScheduler {

        @Bean
        SchedulingConfigurer own() {
            return tasks -> tasks.setTaskScheduler(OwnScheduler.scheduler());
        }

        static TaskScheduler scheduler() {
            SimpleAsyncTaskScheduler scheduler = new SimpleAsyncTaskScheduler();
            scheduler.setThreadNamePrefix("own-");
            return scheduler;
        }
    }

    static class Slow {

        @LeaderOnly(atMostFor = "100ms")
        public String run() {
            try {
                new CountDownLatch(1).await();
                return "never";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        }
    }

    static class Spaced {

        @Scheduled(fixedRate = 1, timeUnit = TimeUnit.HOURS)
        @LeaderOnly(atLeastFor = "10m")
        public void now() {}
    }

    static class Jobs {

        private final List<String> ran = new CopyOnWriteArrayList<>();
        private final List<String> slots = new CopyOnWriteArrayList<>();
        private final List<String> threads = new CopyOnWriteArrayList<>();

        @Scheduled(cron = "* * * * * *")
        @LeaderOnly(recoverWithin = "1m")
        public void plain() {
            threads.add(Thread.currentThread().getName());
            note("plain");
        }

        @Async
        @Scheduled(cron = "* * * * * *")
        @LeaderOnly(recoverWithin = "1m")
        public void async() {
            note("async");
        }

        @Scheduled(cron = "* * * * * *")
        @LeaderOnly(recoverWithin = "1m")
        public Mono<Void> reactive() {
            note("reactive");
            return Mono.empty();
        }

        public List<String> ran() {
            return ran;
        }

        public List<String> slots() {
            return slots;
        }

        public List<String> threads() {
            return threads;
        }

        private void note(String kind) {
            ScheduledSlot slot = ScheduledSlot.current().orElseThrow();
            slots.add(kind + slot.scheduledAt());
            ran.add(kind
                    + (slot.isRecovery() ? " late " : " due ")
                    + FencingToken.current().orElseThrow());
        }
    }
}
