package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.internal.watch.Impediment;
import dev.election.autoconfigure.internal.watch.Impediments;
import dev.election.autoconfigure.store.RequiredElections;
import dev.election.spring.bound.LeaderBoundRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Starts and stops leader-only lifecycle beans with leadership and not with the context. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ElectionProperties.class, LifecycleProperties.class})
public final class ElectionLifecycleAutoConfiguration {

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(name = "electionLeaderBoundRegistry", search = SearchStrategy.CURRENT)
    LeaderBoundRegistry electionLeaderBoundRegistry(
            ApplicationContext context,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            ElectionProperties properties) {
        return new LeaderBoundRegistry(
                ElectionParticipationAutoConfiguration.readiness(context, properties),
                beans,
                RequiredElections.of(elections, "The application has leader-only beans", beans),
                properties.shutdown().await(),
                properties.giveUpOnFailedStart());
    }

    @Bean
    Impediments electionLeaderBoundImpediments(LeaderBoundRegistry electionLeaderBoundRegistry) {
        return election -> electionLeaderBoundRegistry.failedStarts(election).stream()
                .map(failed -> new Impediment(
                        "bean." + failed.bean(),
                        "NOT_STARTED",
                        "Fix the cause of the failed start. The start is retried while this node leads."
                                + " Abdicate to let another node try.",
                        failed.reason(),
                        failed.since(),
                        true))
                .toList();
    }

    /** Decides when all bean definitions are registered. */
    @Bean
    static LeaderBoundLifecycleRegistrar electionLeaderBoundLifecycleRegistrar() {
        return new LeaderBoundLifecycleRegistrar();
    }
}
