package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.LeadershipListener;
import dev.election.aop.GuardReader;
import dev.election.lifecycle.ElectionLifecycle;
import dev.election.lifecycle.EventPublication;
import dev.election.lifecycle.LeaderBoundRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** When the application takes part in its elections, and what it hears of them. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(Elections.class)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionParticipationAutoConfiguration {

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    ElectionLifecycle electionLifecycle(
            ApplicationContext context,
            Elections elections,
            ElectionProperties properties,
            ObjectProvider<GuardReader> guards,
            ObjectProvider<LeaderBoundRegistry> leaderBound) {
        return new ElectionLifecycle(
                context, elections, () -> names(properties, guards, leaderBound), longestStop(properties));
    }

    @Bean
    @ConditionalOnMissingBean
    EventPublication electionEventPublication(ApplicationEventPublisher publisher) {
        return new EventPublication(publisher);
    }

    @Bean
    @Lazy(false)
    SmartInitializingSingleton electionListeners(Elections elections, ObjectProvider<LeadershipListener> listeners) {
        return () -> listeners.orderedStream().forEach(elections::addListener);
    }

    private static Set<String> names(
            ElectionProperties properties,
            ObjectProvider<GuardReader> guards,
            ObjectProvider<LeaderBoundRegistry> leaderBound) {
        Set<String> names = new TreeSet<>(properties.elections().keySet());
        guards.ifAvailable(reader -> names.addAll(reader.names()));
        leaderBound.ifAvailable(registry -> names.addAll(registry.names()));
        return names;
    }

    private static Duration longestStop(ElectionProperties properties) {
        return Stream.concat(Stream.of(properties.timing()), properties.timings().values().stream())
                .map(timing -> timing.drain().plus(timing.lease()))
                .max(Duration::compareTo)
                .orElseThrow()
                .plusSeconds(1);
    }
}
