package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.engine.ElectionEngine;
import dev.election.engine.NodeIdentity;
import dev.election.engine.Timing;
import dev.election.lease.LeaseStore;
import dev.election.lease.LeaseStoreDecorator;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The elections over whatever lease store there is. */
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
    ElectionEngine elections(
            LeaseStore store,
            ObjectProvider<LeaseStoreDecorator> decorators,
            NodeIdentity node,
            ElectionProperties properties,
            Environment environment) {
        LeaseStore decorated = store;
        for (LeaseStoreDecorator decorator : decorators.orderedStream().toList()) {
            decorated = decorator.decorate(decorated);
        }
        ElectionEngine.Builder builder = ElectionEngine.over(decorated)
                .as(node)
                .application(environment.getProperty("spring.application.name", ""))
                .timing(properties.timing());
        properties.timings().forEach(builder::timing);
        return builder.build();
    }

    /** The longest time of all that running work is waited for. */
    static Duration longestDrain(ElectionProperties properties) {
        return timings(properties).map(Timing::drain).max(Duration::compareTo).orElseThrow();
    }

    /** The shortest lease of all: by it the store chooses its timeouts. */
    static Duration shortestLease(ElectionProperties properties) {
        return timings(properties).map(Timing::lease).min(Duration::compareTo).orElseThrow();
    }

    private static Stream<Timing> timings(ElectionProperties properties) {
        return Stream.concat(Stream.of(properties.timing()), properties.timings().values().stream());
    }
}
