package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.LeaderRecovery;
import dev.election.LeadershipListener;
import dev.election.autoconfigure.internal.BootReadiness;
import dev.election.autoconfigure.internal.watch.NotYetCandidate;
import dev.election.spring.guard.GuardReader;
import dev.election.spring.lifecycle.ContextElections;
import dev.election.spring.lifecycle.ElectionLifecycle;
import dev.election.spring.lifecycle.EventPublication;
import dev.election.spring.lifecycle.LeaderRecoveries;
import dev.election.spring.lifecycle.LeadershipAudience;
import dev.election.spring.lifecycle.Readiness;
import dev.election.spring.lifecycle.WantedElections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.beans.factory.ObjectProvider;
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
    @ConditionalOnBean(value = Elections.class, search = SearchStrategy.CURRENT)
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
            ObjectProvider<GuardReader> guards,
            ObjectProvider<WantedElections> wanted,
            ConfigurableListableBeanFactory beans) {
        return new ContextElections(
                readiness(context, properties),
                elections,
                () -> names(properties, guards, wanted),
                () -> beans.getBeansOfType(LeadershipListener.class).values(),
                new LeadershipAudience(context, beans)::isPresent);
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(name = "electionLeaderRecoveries", search = SearchStrategy.CURRENT)
    LeaderRecoveries electionLeaderRecoveries(Elections elections, ConfigurableListableBeanFactory beans) {
        return new LeaderRecoveries(elections, () -> recoveries(beans));
    }

    /**
     * Tells why this node takes part in no election yet. It asks a provider, so that the bean that uses it does not depend on the
     * lifecycle: Spring destroys the lifecycle before all beans on which it depends, and would destroy that bean even earlier.
     */
    static NotYetCandidate.Source pendingStart(ObjectProvider<ElectionLifecycle> lifecycle) {
        return () -> lifecycle.stream()
                .findFirst()
                .flatMap(ElectionLifecycle::pendingStart)
                .map(start -> new NotYetCandidate(start.waitsFor(), start.action(), start.since()));
    }

    /** When the context is ready, so that it takes part in its elections. */
    static Readiness readiness(ApplicationContext context, ElectionProperties properties) {
        return new BootReadiness(context, properties.startup().candidacy());
    }

    /** In the order of the beans, which only the provider knows. */
    private static Map<String, LeaderRecovery> recoveries(ConfigurableListableBeanFactory beans) {
        Map<String, LeaderRecovery> found = beans.getBeansOfType(LeaderRecovery.class);
        Map<String, LeaderRecovery> ordered = new LinkedHashMap<>();
        beans.getBeanProvider(LeaderRecovery.class)
                .orderedStream()
                .forEach(next -> found.forEach((name, recovery) -> {
                    if (recovery == next) {
                        ordered.put(name, recovery);
                    }
                }));
        return ordered;
    }

    private static Set<String> names(
            ElectionProperties properties, ObjectProvider<GuardReader> guards, ObjectProvider<WantedElections> wanted) {
        Set<String> names = new TreeSet<>(properties.elections().keySet());
        wanted.forEach(some -> names.addAll(some.names()));
        guards.ifAvailable(reader -> names.addAll(reader.names()));
        return names;
    }
}
