package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.internal.BootReadiness;
import dev.election.spring.lifecycle.ContextElections;
import dev.election.spring.lifecycle.ElectionLifecycle;
import dev.election.spring.lifecycle.EventPublication;
import dev.election.spring.lifecycle.Readiness;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/**
 * Lets the application take part in its elections and publishes their events. The context that defines the elections starts and stops
 * them; its child contexts only join elections and add listeners.
 */
@AutoConfiguration(after = {ElectionAutoConfiguration.class, ElectionAopAutoConfiguration.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(Elections.class)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionParticipationAutoConfiguration {

    @Bean
    @Lazy(false)
    @ConditionalOnBean(value = Elections.class, search = SearchStrategy.CURRENT)
    @ConditionalOnMissingBean(name = "electionLifecycle", search = SearchStrategy.CURRENT)
    ElectionLifecycle electionLifecycle(
            ApplicationContext context, Elections elections, ElectionProperties properties) {
        return new ElectionLifecycle(readiness(context, properties), elections, properties.longestStop());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnBean(name = "electionLifecycle", search = SearchStrategy.CURRENT)
    @ConditionalOnMissingBean(name = "electionEventPublication", search = SearchStrategy.CURRENT)
    EventPublication electionEventPublication(ApplicationEventPublisher publisher) {
        return new EventPublication(publisher);
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(name = "electionsOfContext", search = SearchStrategy.CURRENT)
    ContextElections electionsOfContext(
            ApplicationContext context,
            Elections elections,
            ElectionProperties properties,
            ConfigurableListableBeanFactory beans) {
        return new ContextElections(
                readiness(context, properties),
                elections,
                beans,
                properties.elections().keySet(),
                properties.partitions().keySet());
    }

    /** When the context is ready, so that it takes part in its elections. */
    static Readiness readiness(ApplicationContext context, ElectionProperties properties) {
        return new BootReadiness(context, properties.startup().candidacy());
    }
}
