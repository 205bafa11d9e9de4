package dev.election.autoconfigure;

import dev.election.ElectionEngine;
import dev.election.autoconfigure.internal.metrics.ApplicationTag;
import dev.election.autoconfigure.internal.metrics.JobMeters;
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
}
