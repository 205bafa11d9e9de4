package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.engine.ElectionEngine;
import dev.election.engine.NodeIdentity;
import dev.election.engine.Timing;
import dev.election.lease.LeaseStore;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

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
    ElectionEngine elections(LeaseStore store, NodeIdentity node, ElectionProperties properties) {
        ElectionEngine.Builder builder = ElectionEngine.over(store).as(node).timing(properties.timing());
        properties.timings().forEach(builder::timing);
        return builder.build();
    }

    /** The shortest lease of all: by it the store chooses its timeouts. */
    static Duration shortestLease(ElectionProperties properties) {
        return Stream.concat(Stream.of(properties.timing()), properties.timings().values().stream())
                .map(Timing::lease)
                .min(Duration::compareTo)
                .orElseThrow();
    }
}
