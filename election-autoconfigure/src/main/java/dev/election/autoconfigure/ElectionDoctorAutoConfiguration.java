package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.internal.checks.Check;
import dev.election.autoconfigure.internal.checks.Doctor;
import dev.election.autoconfigure.internal.checks.GuardedMethodsCheck;
import dev.election.spring.internal.guard.LeaderGuardPostProcessor;
import dev.election.spring.internal.lifecycle.Candidacy;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/** The checks after the start. */
@AutoConfiguration(after = {ElectionAutoConfiguration.class, ElectionAopAutoConfiguration.class})
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
    GuardedMethodsCheck electionGuardedMethodsCheck(
            LeaderGuardPostProcessor guards, ElectionProperties properties, BeanFactory beans) {
        return new GuardedMethodsCheck(
                guards::forEachGuarded,
                properties.startup().candidacy() == Candidacy.AFTER_RUNNERS,
                beans.containsBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME));
    }
}
