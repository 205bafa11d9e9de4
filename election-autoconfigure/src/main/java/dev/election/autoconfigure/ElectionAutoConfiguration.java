package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.LeadershipListener;
import dev.election.aop.GuardReader;
import dev.election.engine.ElectionEngine;
import dev.election.engine.NodeIdentity;
import dev.election.engine.Timing;
import dev.election.lease.LeaseStore;
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
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The elections over whatever lease store there is, their lifecycle and their events. */
@AutoConfiguration(after = ElectionRedisAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    NodeIdentity electionNodeIdentity(ElectionProperties properties) {
        NodeIdentity host = NodeIdentity.ofThisHost();
        ElectionProperties.Node node = properties.node();
        try {
            return new NodeIdentity(
                    node.id() != null ? node.id() : host.id(),
                    node.address() != null ? node.address() : host.address());
        } catch (IllegalArgumentException invalid) {
            throw new InvalidElectionPropertyException(
                    "election.node.id", String.valueOf(invalid.getMessage()), invalid);
        }
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnBean(LeaseStore.class)
    @ConditionalOnMissingBean(Elections.class)
    ElectionEngine elections(LeaseStore store, NodeIdentity node, ElectionProperties properties) {
        ElectionEngine.Builder builder = ElectionEngine.over(store).as(node).timing(properties.timing());
        properties.timings().forEach(builder::timing);
        return builder.build();
    }

    /** What only makes sense if there are elections. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean(Elections.class)
    static final class Participation {

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
        SmartInitializingSingleton electionListeners(
                Elections elections, ObjectProvider<LeadershipListener> listeners) {
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

    /** The shortest lease of all: by it the store chooses its timeouts. */
    static Duration shortestLease(ElectionProperties properties) {
        return Stream.concat(Stream.of(properties.timing()), properties.timings().values().stream())
                .map(Timing::lease)
                .min(Duration::compareTo)
                .orElseThrow();
    }
}
