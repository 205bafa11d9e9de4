package dev.election.autoconfigure.redis;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionDoctorAutoConfiguration;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.doctor.PermissionsCheck;
import dev.election.redis.RedisLeaseStore;
import io.lettuce.core.RedisClient;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The checks of Redis after the start. */
@AutoConfiguration(after = ElectionAutoConfiguration.class, before = ElectionDoctorAutoConfiguration.class)
@ConditionalOnClass({RedisLeaseStore.class, RedisClient.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "election.doctor.enabled", matchIfMissing = true)
@ConditionalOnBean({Elections.class, RedisLeaseStore.class})
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionRedisChecksAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RedisCheck electionRedisCheck(RedisLeaseStore store, ElectionProperties properties) {
        return new RedisCheck(
                store::checkUp,
                properties.shortestLease(),
                !ElectionRedisAutoConfiguration.acknowledgingReplicas(properties)
                        .isNone());
    }

    /** Checks the keys of one election, since the keys of all elections have the same prefix. */
    @Bean
    @ConditionalOnMissingBean
    PermissionsCheck electionPermissionsCheck(RedisLeaseStore store, Elections elections) {
        return new PermissionsCheck(() -> elections.all().stream()
                .findFirst()
                .map(election -> store.refusedCommands(election.name()))
                .orElseGet(() -> CompletableFuture.completedFuture(Set.of())));
    }
}
