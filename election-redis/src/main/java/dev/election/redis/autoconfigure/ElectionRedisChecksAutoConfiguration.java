package dev.election.redis.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.autoconfigure.ElectionWatchAutoConfiguration;
import dev.election.redis.RedisLeaseStore;
import dev.election.spring.guard.GuardReader;
import io.lettuce.core.RedisClient;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The checks of Redis after the start. */
@AutoConfiguration(after = ElectionWatchAutoConfiguration.class)
@ConditionalOnClass({RedisLeaseStore.class, RedisClient.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(name = "electionDoctor")
@EnableConfigurationProperties({ElectionProperties.class, ElectionRedisProperties.class})
public final class ElectionRedisChecksAutoConfiguration {

    @Bean
    @ConditionalOnBean(RedisLeaseStore.class)
    @ConditionalOnMissingBean(name = "electionRedisCheck")
    RedisCheck electionRedisCheck(
            RedisLeaseStore electionLeaseStore, ElectionProperties properties, ElectionRedisProperties redis) {
        return new RedisCheck(
                electionLeaseStore::checkUp,
                properties.shortestLease(),
                !ElectionRedisAutoConfiguration.acknowledgingReplicas(redis).isNone());
    }

    /** Checks the keys of one election, since the keys of all elections have the same prefix. */
    @Bean
    @ConditionalOnBean(RedisLeaseStore.class)
    @ConditionalOnMissingBean(name = "electionPermissionsCheck")
    PermissionsCheck electionPermissionsCheck(RedisLeaseStore electionLeaseStore, Elections elections) {
        return new PermissionsCheck(() -> elections.all().stream()
                .findFirst()
                .map(election -> electionLeaseStore.refusedCommands(election.name()))
                .orElseGet(() -> CompletableFuture.completedFuture(Set.of())));
    }

    @Bean
    @ConditionalOnMissingBean(name = "electionCommandTimeoutCheck")
    CommandTimeoutCheck electionCommandTimeoutCheck(
            Environment environment, ElectionProperties properties, ObjectProvider<GuardReader> electionGuardReader) {
        GuardReader reader = electionGuardReader.getIfAvailable();
        return new CommandTimeoutCheck(
                Binder.get(environment)
                        .bind("spring.data.redis.timeout", Duration.class)
                        .orElse(null),
                properties.shortestLease(),
                reader != null && !reader.names().isEmpty());
    }
}
