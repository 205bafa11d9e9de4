package dev.election.autoconfigure;

import dev.election.ElectionEngine;
import dev.election.autoconfigure.internal.metrics.ApplicationTag;
import dev.election.autoconfigure.internal.metrics.JobMeters;
import dev.election.jobs.JobRunListener;
import dev.election.spring.internal.scheduling.JobObserver;
import dev.election.spring.internal.scheduling.ScheduledJobs;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/** The meters {@code election.jobs.*}. */
@AutoConfiguration(after = {ElectionMetricsAutoConfiguration.class, ElectionSchedulingAutoConfiguration.class})
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ScheduledJobs.class, MeterRegistry.class})
public final class ElectionJobsMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    JobMeters electionJobMeters(ObjectProvider<MeterRegistry> registry, ObjectProvider<ElectionEngine> engine) {
        return new JobMeters(
                SingletonSupplier.of(registry::getObject), () -> ApplicationTag.of(engine.getIfAvailable()));
    }

    @Bean
    JobRunListener electionJobRunMeters(JobMeters meters) {
        return meters::ended;
    }

    @Bean
    JobObserver electionJobMetersObserver(JobMeters meters) {
        return new JobObserver() {
            @Override
            public void added(String election, String job) {
                meters.added(election, job);
            }

            @Override
            public void recovered(String election, String job) {
                meters.recovered(election, job);
            }

            @Override
            public void lost(String election, String job, int slots) {
                meters.lost(election, job, slots);
            }

            @Override
            public void interrupted(String election, String job) {
                meters.interrupted(election, job);
            }
        };
    }
}
