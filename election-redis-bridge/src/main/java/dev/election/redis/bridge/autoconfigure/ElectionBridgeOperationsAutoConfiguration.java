package dev.election.redis.bridge.autoconfigure;

import dev.election.Elections;
import dev.election.redis.bridge.Bridge;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The endpoint {@code electionbridge} and the health contributor {@code electionBridge}, where there is a bridge. */
@AutoConfiguration(after = ElectionBridgeAutoConfiguration.class)
@ConditionalOnBean(Bridge.class)
public final class ElectionBridgeOperationsAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
    @ConditionalOnAvailableEndpoint(BridgeEndpoint.class)
    @RegisterReflectionForBinding({BridgeView.class, TakeOverView.class})
    static class EndpointConfiguration {

        @Bean
        BridgeEndpoint electionBridgeEndpoint(Bridge bridge, ObjectProvider<Elections> elections) {
            return new BridgeEndpoint(bridge, () -> elections.getObject().node());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    static class HealthConfiguration {

        /** Always up: to wait for an old master is no fault. */
        @Bean
        @ConditionalOnEnabledHealthIndicator("electionBridge")
        HealthIndicator electionBridgeHealthIndicator(Bridge bridge) {
            return () -> Health.up()
                    .withDetail("oldScheduler", BridgeView.of(bridge))
                    .build();
        }
    }
}
