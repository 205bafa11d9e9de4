package dev.election.quartz.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionContext;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.testing.HandDrivenElections;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class QuartzMetricsAutoConfigurationTest {

    private final HandDrivenElections elections = new HandDrivenElections();
    private final ApplicationContextRunner quartz = ElectionContext.inMemory()
            .withConfiguration(AutoConfigurations.of(QuartzAutoConfiguration.class))
            .withBean(Elections.class, () -> elections);
    private final ApplicationContextRunner measured = quartz.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

    @Test
    void vetoes_are_counted_and_seen_by_observers_of_the_application_too() {
        AtomicInteger seen = new AtomicInteger();
        QuartzObserver own = new QuartzObserver() {
            @Override
            public void vetoed(String scheduler, String election) {
                seen.incrementAndGet();
            }
        };
        measured.withBean("own", QuartzObserver.class, () -> own)
                .withUserConfiguration(OftenScheduled.class)
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> vetoes(registry) >= 2);
                    assertThat(seen).hasValueGreaterThanOrEqualTo(2);
                    assertThat(registry.get("election.quartz.recovered")
                                    .tags("application", "unknown", "election", "default")
                                    .counter()
                                    .count())
                            .isZero();
                });
    }

    @Test
    void the_counters_of_an_election_that_guards_jobs_are_there_at_zero_from_the_start() {
        elections.get("default").lead(1);
        measured.withUserConfiguration(OftenScheduled.class)
                .run(context -> assertThat(context.getBean(MeterRegistry.class)
                                .get("election.quartz.lost")
                                .tags("application", "unknown", "election", "default")
                                .counter()
                                .count())
                        .isZero());
    }

    @Test
    void a_scheduler_without_jobs_has_no_counters() {
        measured.run(context -> assertThat(context.getBean(MeterRegistry.class)
                        .find("election.quartz.lost")
                        .counter())
                .isNull());
    }

    @Test
    void the_meters_of_the_application_win() {
        QuartzMeters own = new QuartzMeters(SimpleMeterRegistry::new, () -> "shop");
        measured.withBean("electionQuartzMeters", QuartzMeters.class, () -> own)
                .run(context -> assertThat(context).getBean(QuartzMeters.class).isSameAs(own));
    }

    @Test
    void there_are_none_without_a_registry_without_guards_or_without_their_technology() {
        quartz.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(QuartzMeters.class));
        measured.withPropertyValues("election.quartz.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(QuartzMeters.class));
        for (Class<?> absent : new Class<?>[] {Scheduler.class, MeterRegistry.class}) {
            ElectionContext.inMemory()
                    .withClassLoader(new FilteredClassLoader(absent))
                    .run(context -> assertThat(context)
                            .hasNotFailed()
                            .getBeanNames(QuartzMeters.class)
                            .isEmpty());
        }
    }

    private static double vetoes(MeterRegistry registry) {
        Counter counter = registry.find("election.quartz.vetoed")
                .tag("election", "default")
                .counter();
        return counter == null ? 0 : counter.count();
    }

    @Configuration(proxyBeanMethods = false)
    static class OftenScheduled {

        @Bean
        JobDetail job() {
            return JobBuilder.newJob(Idle.class)
                    .withIdentity("job")
                    .storeDurably()
                    .build();
        }

        @Bean
        Trigger trigger() {
            return TriggerBuilder.newTrigger()
                    .forJob("job")
                    .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                            .withIntervalInMilliseconds(100)
                            .repeatForever())
                    .build();
        }
    }

    static class Idle implements Job {
        @Override
        public void execute(JobExecutionContext context) {}
    }
}
