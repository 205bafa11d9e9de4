package dev.election.autoconfigure;

import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.autoconfigure.internal.metrics.ElectionMeters;
import dev.election.autoconfigure.internal.metrics.JobMeters;
import dev.election.autoconfigure.internal.metrics.MeteredLeaseStore;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.LeaderHealth;
import dev.election.autoconfigure.metrics.ApplicationTag;
import dev.election.partitions.Partitions;
import dev.election.store.LeaseStoreDecorator;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/** The meters {@code election.*} and {@code election.jobs.*}. */
@AutoConfiguration(
        after = {ElectionWatchAutoConfiguration.class, ElectionHealthAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
// The watch is where there are elections. By name, since a condition on a type asks each bean for its type.
@ConditionalOnBean(value = MeterRegistry.class, name = "electionWatch")
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionMetricsAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "electionMeters")
    ElectionMeters electionMeters(
            MeterRegistry registry,
            Elections elections,
            ObjectProvider<ElectionEngine> engine,
            ElectionWatch electionWatch,
            ObjectProvider<Partitions> partitions,
            ObjectProvider<LeaderHealth> leaderHealthIndicator) {
        ElectionMeters meters = new ElectionMeters(
                registry,
                elections,
                electionWatch,
                ApplicationTag.of(engine.getIfAvailable()),
                partitions.stream().flatMap(known -> known.all().stream()).toList());
        leaderHealthIndicator.ifAvailable(meters::observe);
        return meters;
    }

    /** Passes the registry as a supplier: the store is created before the beans that the registry needs, the first renewal happens after them. */
    @Bean
    LeaseStoreDecorator electionMeteredLeaseStore(
            ObjectProvider<MeterRegistry> registry, ElectionProperties properties) {
        return store -> new MeteredLeaseStore(
                store,
                SingletonSupplier.of(registry::getObject),
                properties.partitions().keySet());
    }

    @Bean
    @ConditionalOnMissingBean(name = "electionJobMeters")
    JobMeters electionJobMeters(
            ObjectProvider<MeterRegistry> registry,
            ObjectProvider<ElectionEngine> engine,
            ElectionProperties properties) {
        return new JobMeters(
                SingletonSupplier.of(registry::getObject),
                () -> ApplicationTag.of(engine.getIfAvailable()),
                properties.partitions().keySet());
    }
}
