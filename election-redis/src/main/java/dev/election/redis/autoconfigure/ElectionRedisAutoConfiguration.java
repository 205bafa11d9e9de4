package dev.election.redis.autoconfigure;

import static dev.election.ElectionConfigurationException.valid;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.autoconfigure.store.ConditionalOnStore;
import dev.election.redis.AcknowledgingReplicas;
import dev.election.redis.RedisKeySpace;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.RedisSettings;
import dev.election.redis.SettleTime;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import io.lettuce.core.RedisClient;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The lease store over the application's Redis, with separate connections. */
// By name: an application may bring a connection factory of its own and not have Spring Boot's module.
@AutoConfiguration(
        before = ElectionAutoConfiguration.class,
        afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass({
    RedisLeaseStore.class,
    RedisConnectionFactory.class,
    LettuceConnectionFactory.class,
    RedisClient.class
})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnStore(ElectionRedisAutoConfiguration.STORE)
@EnableConfigurationProperties({ElectionProperties.class, ElectionRedisProperties.class})
@ImportRuntimeHints(ElectionRedisRuntimeHints.class)
public final class ElectionRedisAutoConfiguration {

    static final String STORE = "redis";

    private static final String KEY_PREFIX = "election.redis.key-prefix";
    private static final String ACKNOWLEDGING_REPLICAS = "election.redis.acknowledging-replicas";

    @Bean(destroyMethod = "close")
    @Conditional(OneConnectionFactory.class)
    @ConditionalOnMissingBean({LeaseStore.class, Elections.class})
    RedisLeaseStore electionLeaseStore(
            ConfigurableListableBeanFactory beans,
            ElectionProperties properties,
            ElectionRedisProperties redis,
            Environment environment) {
        RedisSettings settings = new RedisSettings(
                keySpace(redis),
                RedisSettings.DEFAULT_HISTORY,
                redis.settleForALease() ? SettleTime.WHOLE_LEASE : SettleTime.AS_NEEDED,
                acknowledgingReplicas(redis),
                new RedisSettings.Names(KEY_PREFIX, ACKNOWLEDGING_REPLICAS));
        properties.requireLeasesFor(RedisLeaseStore.traits(settings));
        RedisAccess access = new RedisOfApplication(beans, environment).access(redis.connectionFactory());
        return RedisLeaseStore.open(access, properties.shortestLease(), settings);
    }

    @Bean
    @ConditionalOnProperty(ACKNOWLEDGING_REPLICAS)
    @ConditionalOnBean(RedisLeaseStore.class)
    AcknowledgementPermissions electionAcknowledgementPermissions(
            RedisLeaseStore store, ElectionProperties properties) {
        return new AcknowledgementPermissions(store::refusedForAcknowledgements, properties.shortestLease());
    }

    static AcknowledgingReplicas acknowledgingReplicas(ElectionRedisProperties redis) {
        return valid(ACKNOWLEDGING_REPLICAS, () -> AcknowledgingReplicas.of(redis.acknowledgingReplicas()));
    }

    private static RedisKeySpace keySpace(ElectionRedisProperties redis) {
        RedisKeySpace keySpace = valid(KEY_PREFIX, () -> RedisKeySpace.of(redis.keyPrefix()));
        return valid("election.redis.hash-tag", () -> keySpace.withHashTag(redis.hashTag()));
    }

    /** Lazy: created when it is written to for the first time. */
    @Bean
    @Lazy
    @ConditionalOnBean(RedisLeaseStore.class)
    @ConditionalOnMissingBean
    LedgerStore electionLedgerStore(RedisLeaseStore electionLeaseStore) {
        return electionLeaseStore.ledgerStore().orElseThrow();
    }

    /** Matches if a property names the connection factory, or if there is a single candidate. */
    static final class OneConnectionFactory extends AnyNestedCondition {

        OneConnectionFactory() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("election.redis.connection-factory")
        static final class Named {}

        @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
        static final class Single {}
    }
}
