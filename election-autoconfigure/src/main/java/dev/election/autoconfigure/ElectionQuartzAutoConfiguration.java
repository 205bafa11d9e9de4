package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.ledger.JobHistory;
import dev.election.ledger.SharedLedgers;
import dev.election.lifecycle.WantedElections;
import dev.election.quartz.GuardRules;
import dev.election.quartz.QuartzGuards;
import dev.election.quartz.QuartzObserver;
import java.time.InstantSource;
import org.quartz.Scheduler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.quartz.autoconfigure.QuartzTransactionManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.transaction.PlatformTransactionManager;

/** Guards the jobs of all Quartz schedulers that are beans. Each context guards its own. */
@AutoConfiguration(after = ElectionJobsAutoConfiguration.class)
@ConditionalOnClass({Scheduler.class, SchedulerFactoryBean.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "election.quartz.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionQuartzProperties.class)
@ImportRuntimeHints(ElectionQuartzRuntimeHints.class)
public final class ElectionQuartzAutoConfiguration {

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    QuartzGuards electionQuartzGuards(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            SharedLedgers ledgers,
            JobHistory history,
            ObjectProvider<QuartzObserver> observers,
            ObjectProvider<PlatformTransactionManager> transactions,
            @QuartzTransactionManager ObjectProvider<PlatformTransactionManager> quartzTransactions,
            ElectionQuartzProperties properties) {
        return new QuartzGuards(
                RequiredElections.of(elections, "The application has guarded Quartz schedulers", beans),
                new GuardRules(
                        name -> String.valueOf(beans.resolveEmbeddedValue(name)),
                        properties.groups(),
                        properties.election()),
                properties::choice,
                ledgers,
                history,
                QuartzObserver.of(observers.orderedStream().toList()),
                new QuartzStoreTransactions(() -> {
                    PlatformTransactionManager own = quartzTransactions.getIfUnique();
                    return own != null ? own : transactions.getIfUnique();
                }),
                properties.recoverWithin(),
                InstantSource.system());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SchedulerPostProcessor electionSchedulerPostProcessor(ObjectProvider<QuartzGuards> guards) {
        return new SchedulerPostProcessor(guards::getObject);
    }

    @Bean
    WantedElections electionsOfQuartzJobs(QuartzGuards guards) {
        return guards::names;
    }
}
