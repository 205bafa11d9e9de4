package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.lifecycle.LeaderBoundRegistry;
import dev.election.watch.Impediment;
import dev.election.watch.Impediments;
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

/** Lets leadership, and not the context, start and stop the beans that are bound to it. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ElectionProperties.class, LifecycleProperties.class})
public final class ElectionLifecycleAutoConfiguration {

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    LeaderBoundRegistry electionLeaderBoundRegistry(
            ApplicationContext context,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            ElectionProperties properties) {
        return new LeaderBoundRegistry(
                ElectionParticipationAutoConfiguration.readiness(context, properties),
                beans,
                RequiredElections.of(elections, "There are leader-only beans", beans),
                properties.shutdown().await());
    }

    @Bean
    Impediments electionLeaderBoundImpediments(LeaderBoundRegistry registry) {
        return election -> registry.failedStarts(election).stream()
                .map(failed -> new Impediment(
                        "bean." + failed.bean(),
                        "NOT_STARTED",
                        "Fix what the start of the bean needs: it is tried again while this node leads."
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
