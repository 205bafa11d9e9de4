package dev.election.quartz.autoconfigure;

import dev.election.ElectionEngine;
import dev.election.autoconfigure.ElectionMetricsAutoConfiguration;
import dev.election.autoconfigure.metrics.ApplicationTag;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.turns.QuartzGuards;
import io.micrometer.core.instrument.MeterRegistry;
import org.quartz.Scheduler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/** The meters {@code election.quartz.*}. */
@AutoConfiguration(after = {ElectionMetricsAutoConfiguration.class, ElectionQuartzAutoConfiguration.class})
@ConditionalOnClass({Scheduler.class, MeterRegistry.class})
@ConditionalOnBean({QuartzGuards.class, MeterRegistry.class})
public final class ElectionQuartzMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "electionQuartzMeters")
    QuartzMeters electionQuartzMeters(ObjectProvider<MeterRegistry> registry, ObjectProvider<ElectionEngine> engine) {
        return new QuartzMeters(
                SingletonSupplier.of(registry::getObject), () -> ApplicationTag.of(engine.getIfAvailable()));
    }

    @Bean
    QuartzObserver electionQuartzMetersObserver(QuartzMeters meters) {
        return new QuartzObserver() {
            @Override
            public void guarded(String election) {
                meters.guarded(election);
            }

            @Override
            public void vetoed(String scheduler, String election) {
                meters.vetoed(election);
            }

            @Override
            public void recovered(String scheduler, String election) {
                meters.recovered(election);
            }

            @Override
            public void lost(String scheduler, String election, int slots) {
                meters.lost(election, slots);
            }
        };
    }
}
