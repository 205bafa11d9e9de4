package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.lease.LeaseStore;
import dev.election.lease.Logbook;
import dev.election.redis.RedisAccess;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.SettleTime;
import io.lettuce.core.RedisClient;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** The lease store over the application's Redis, with connections of its own. */
@AutoConfiguration(after = DataRedisAutoConfiguration.class)
@ConditionalOnClass({RedisConnectionFactory.class, LettuceConnectionFactory.class, RedisClient.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionProperties.class)
@ImportRuntimeHints(ElectionRuntimeHints.class)
public final class ElectionRedisAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnSingleCandidate(RedisConnectionFactory.class)
    @ConditionalOnMissingBean({LeaseStore.class, Elections.class})
    RedisLeaseStore electionLeaseStore(
            RedisConnectionFactory application, ElectionProperties properties, Environment environment) {
        if (!(application instanceof LettuceConnectionFactory lettuce)) {
            throw new UnsupportedConnectionFactoryException(
                    "The elections need a LettuceConnectionFactory, but the application's connection factory is a "
                            + application.getClass().getName());
        }
        if (environment.containsProperty("spring.data.redis.masterreplica.nodes[0]")
                || environment.containsProperty("spring.data.redis.masterreplica.nodes")) {
            throw new UnsupportedConnectionFactoryException("The elections can't follow the primary of a static"
                    + " primary/replica setup (spring.data.redis.masterreplica.nodes)");
        }
        try {
            return RedisLeaseStore.open(
                    accessLike(lettuce),
                    properties.redis().keyPrefix(),
                    ElectionAutoConfiguration.shortestLease(properties),
                    properties.history().size(),
                    properties.redis().settleForALease() ? SettleTime.WHOLE_LEASE : SettleTime.AS_NEEDED);
        } catch (IllegalArgumentException invalid) {
            throw new InvalidElectionPropertyException(
                    "election.redis.key-prefix", String.valueOf(invalid.getMessage()), invalid);
        }
    }

    /** Made when somebody writes in it. */
    @Bean
    @Lazy
    @ConditionalOnBean(RedisLeaseStore.class)
    @ConditionalOnMissingBean
    Logbook electionLogbook(RedisLeaseStore store) {
        return store.logbook();
    }

    private static RedisAccess accessLike(LettuceConnectionFactory application) {
        try {
            return RedisAccess.like(application);
        } catch (IllegalArgumentException unsupported) {
            throw new UnsupportedConnectionFactoryException(String.valueOf(unsupported.getMessage()), unsupported);
        }
    }
}
