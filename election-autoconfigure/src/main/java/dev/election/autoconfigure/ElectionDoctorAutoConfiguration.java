package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.aop.GuardReader;
import dev.election.aop.LeaderGuardPostProcessor;
import dev.election.doctor.Check;
import dev.election.doctor.CommandTimeoutCheck;
import dev.election.doctor.Doctor;
import dev.election.doctor.GuardedMethodsCheck;
import dev.election.lifecycle.Candidacy;
import dev.election.quartz.QuartzGuards;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** The checks after the start. */
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
                properties.shortestLease(),
                guards.stream().anyMatch(reader -> !reader.names().isEmpty()));
    }

    /** Where there are jobs. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.quartz.Scheduler")
    static final class QuartzConfiguration {

        @Bean
        @ConditionalOnMissingBean
        @ConditionalOnBean({QuartzGuards.class, RequiredLogbook.class})
        @ConditionalOnProperty(name = "election.jobs.ledger", havingValue = "store", matchIfMissing = true)
        QuartzLogCheck electionQuartzLogCheck(QuartzGuards guards, RequiredLogbook logbook) {
            return new QuartzLogCheck(guards::names, logbook::getIfAvailable);
        }
    }
}
