package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.aop.GuardReader;
import dev.election.aop.LeaderGuardPostProcessor;
import dev.election.doctor.Check;
import dev.election.doctor.CommandTimeoutCheck;
import dev.election.doctor.Doctor;
import dev.election.doctor.GuardedMethodsCheck;
import dev.election.doctor.PermissionsCheck;
import dev.election.doctor.RedisCheck;
import dev.election.lease.Logbook;
import dev.election.lifecycle.Candidacy;
import dev.election.quartz.QuartzGuards;
import dev.election.redis.RedisLeaseStore;
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
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** The look for trouble after the start. */
@AutoConfiguration(
        after = {
            ElectionAutoConfiguration.class,
            ElectionAopAutoConfiguration.class,
            ElectionQuartzAutoConfiguration.class
        })
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "election.doctor.enabled", matchIfMissing = true)
@ConditionalOnBean(Elections.class)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionDoctorAutoConfiguration {

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    Doctor electionDoctor(ApplicationContext context, ObjectProvider<Check> checks) {
        return new Doctor(context, () -> checks.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(LeaderGuardPostProcessor.class)
    GuardedMethodsCheck electionGuardedMethodsCheck(LeaderGuardPostProcessor guards, ElectionProperties properties) {
        return new GuardedMethodsCheck(
                guards::forEachGuarded, properties.startup().candidacy() == Candidacy.AFTER_RUNNERS);
    }

    @Bean
    @ConditionalOnMissingBean
    CommandTimeoutCheck electionCommandTimeoutCheck(
            Environment environment, ElectionProperties properties, ObjectProvider<GuardReader> guards) {
        return new CommandTimeoutCheck(
                Binder.get(environment)
                        .bind("spring.data.redis.timeout", Duration.class)
                        .orElse(null),
                ElectionAutoConfiguration.shortestLease(properties),
                guards.stream().anyMatch(reader -> !reader.names().isEmpty()));
    }

    /** Where there are jobs. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.quartz.Scheduler")
    static final class QuartzConfiguration {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean({QuartzGuards.class, Logbook.class})
        QuartzLogCheck electionQuartzLogCheck(QuartzGuards guards, ObjectProvider<Logbook> book) {
            return new QuartzLogCheck(guards::names, book::getObject);
        }
    }

    /** Nothing but the store over Redis can be asked. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "io.lettuce.core.RedisClient")
    static final class RedisConfiguration {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(RedisLeaseStore.class)
        RedisCheck electionRedisCheck(RedisLeaseStore store, ElectionProperties properties) {
            return new RedisCheck(store::checkUp, ElectionAutoConfiguration.shortestLease(properties));
        }

        /** Tried on the keys of one election: all of them share a prefix. */
        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean(RedisLeaseStore.class)
        PermissionsCheck electionPermissionsCheck(RedisLeaseStore store, Elections elections) {
            return new PermissionsCheck(() -> elections.all().stream()
                    .findFirst()
                    .map(election -> store.refusedCommands(election.name()))
                    .orElseGet(() -> CompletableFuture.completedFuture(Set.of())));
        }
    }
}
