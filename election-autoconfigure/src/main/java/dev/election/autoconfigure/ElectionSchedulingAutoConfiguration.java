package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.jobs.internal.JobHistory;
import dev.election.jobs.internal.SharedLedgers;
import dev.election.spring.internal.scheduling.JobObserver;
import dev.election.spring.internal.scheduling.ScheduledJobs;
import dev.election.spring.internal.scheduling.SlotSchedulingConfigurer;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/** Records the slots of guarded {@code @Scheduled} methods and recovers missed ones. Each context has those of its own methods. */
@AutoConfiguration(after = ElectionJobsAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionSchedulingProperties.class)
public final class ElectionSchedulingAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static ScheduledJobs electionScheduledJobs(
            ConfigurableListableBeanFactory beans,
            SharedLedgers ledgers,
            JobHistory history,
            ObjectProvider<JobObserver> observers,
            ElectionSchedulingProperties properties,
            ElectionJobsProperties jobs) {
        boolean isRecorded = jobs.ledger() == ElectionJobsProperties.Ledger.STORE;
        Duration recoverWithin = properties.recoverWithin();
        if (!isRecorded && !recoverWithin.isZero()) {
            throw ElectionConfigurationException.ofProperty(
                    "election.scheduling.recover-within",
                    "Missed slots can't be recovered, since election.jobs.ledger is off");
        }
        EmbeddedValueResolver resolver = new EmbeddedValueResolver(beans);
        return new ScheduledJobs(
                ledgers,
                isRecorded,
                beans::getBean,
                text -> String.valueOf(resolver.resolveStringValue(text)),
                recoverWithin,
                SingletonSupplier.of(
                        () -> JobObserver.of(observers.orderedStream().toList())),
                history);
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    SlotSchedulingConfigurer electionSlotSchedulingConfigurer(ScheduledJobs jobs) {
        return new SlotSchedulingConfigurer(jobs);
    }

    @Bean
    ApplicationListener<ApplicationReadyEvent> electionSlotSchedulingCheck(SlotSchedulingConfigurer configurer) {
        return ready -> configurer.check();
    }
}
