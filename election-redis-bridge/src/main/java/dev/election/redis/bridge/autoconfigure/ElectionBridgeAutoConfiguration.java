package dev.election.redis.bridge.autoconfigure;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.redis.autoconfigure.ElectionRedisProperties;
import dev.election.redis.autoconfigure.RedisOfApplication;
import dev.election.redis.bridge.Bridge;
import dev.election.redis.bridge.BridgeActions;
import dev.election.redis.bridge.BridgeSettings;
import dev.election.redis.client.RedisAccess;
import io.lettuce.core.RedisClient;
import java.util.Objects;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** The bridge from a scheduler that elects its master by a key in Redis, if {@code election.bridge.key} names that key. */
@AutoConfiguration(
        before = ElectionAutoConfiguration.class,
        afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnProperty("election.bridge.key")
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnClass({Bridge.class, RedisConnectionFactory.class, RedisClient.class})
@EnableConfigurationProperties({ElectionProperties.class, ElectionBridgeProperties.class})
public final class ElectionBridgeAutoConfiguration {

    static final BridgeActions ACTIONS = new BridgeActions(
            "correct election.bridge.key and election.bridge.lock",
            "DELETE /actuator/electionbridge?master=",
            "election.bridge.key can be removed");

    @Bean(destroyMethod = "close")
    Bridge electionBridge(
            ConfigurableListableBeanFactory beans,
            ElectionProperties properties,
            ElectionRedisProperties redis,
            ElectionBridgeProperties bridge,
            Environment environment) {
        if (!Election.isName(bridge.election())) {
            throw ElectionConfigurationException.ofProperty(
                    "election.bridge.election",
                    "The name of an election must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + bridge.election()
                            + "'");
        }
        // It is closed after the elections that it decorates, which find it by its type.
        beans.registerDependentBean("electionBridge", "elections");
        RedisAccess access = new RedisOfApplication(beans, environment).access(redis.connectionFactory());
        try {
            return Bridge.open(access, settings(bridge), properties.lease(bridge.election()), ACTIONS);
        } catch (BridgeSettings.InvalidSetting invalid) {
            throw ElectionConfigurationException.ofProperty(
                    "election.bridge." + invalid.setting(), String.valueOf(invalid.getMessage()));
        } catch (IllegalArgumentException invalid) {
            throw ElectionConfigurationException.ofProperty(
                    "election.bridge", String.valueOf(invalid.getMessage()), invalid);
        }
    }

    @Bean
    BridgedElectionCheck electionBridgedElectionCheck(Bridge bridge, ObjectProvider<Elections> elections) {
        return new BridgedElectionCheck(bridge.election(), elections);
    }

    private static BridgeSettings settings(ElectionBridgeProperties bridge) {
        return new BridgeSettings(
                bridge.election(),
                Objects.requireNonNull(bridge.key()),
                bridge.lock(),
                bridge.ttl(),
                bridge.database(),
                bridge.format());
    }

    /** The endpoint {@code electionbridge}. */
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

    /** The health contributor {@code electionBridge}. */
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
