package dev.election.autoconfigure;

import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.autoconfigure.internal.metrics.ApplicationTag;
import dev.election.autoconfigure.internal.metrics.ElectionMeters;
import dev.election.autoconfigure.internal.metrics.MeteredLeaseStore;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.store.LeaseStoreDecorator;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/** The meters {@code election.*}. */
@AutoConfiguration(
        after = {ElectionWatchAutoConfiguration.class, ElectionHealthAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean({Elections.class, MeterRegistry.class})
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionMetricsAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    ElectionMeters electionMeters(
            MeterRegistry registry, Elections elections, ObjectProvider<ElectionEngine> engine, ElectionWatch watch) {
        return new ElectionMeters(registry, elections, watch, ApplicationTag.of(engine.getIfAvailable()));
    }

    /** By a supplier: the store is created early, before the beans that the registry needs, and the first renewal happens after them. */
    @Bean
    LeaseStoreDecorator electionMeteredLeaseStore(ObjectProvider<MeterRegistry> registry) {
        return store -> new MeteredLeaseStore(store, SingletonSupplier.of(registry::getObject));
    }

    /** The health contributor as a meter, for an alert: Spring Boot exports none of health. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HealthIndicator.class)
    static final class HealthMeterConfiguration {

        @Bean
        @ConditionalOnBean(LeaderHealthIndicator.class)
        MeterBinder electionHealthMeter(LeaderHealthIndicator indicator, ObjectProvider<ElectionEngine> engine) {
            return registry -> Gauge.builder("election.health", indicator, HealthMeterConfiguration::value)
                    .description("1 if the health contributor of the elections is up, 0 if it is down")
                    .tag(ApplicationTag.KEY, ApplicationTag.of(engine.getIfAvailable()))
                    .register(registry);
        }

        private static double value(LeaderHealthIndicator indicator) {
            return Status.UP.equals(indicator.health().getStatus()) ? 1 : 0;
        }
    }
}
