package dev.election.quartz.autoconfigure;

import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.LeaderWork;
import dev.election.autoconfigure.ElectionJobsAutoConfiguration;
import dev.election.autoconfigure.ElectionMetricsAutoConfiguration;
import dev.election.autoconfigure.ElectionWatchAutoConfiguration;
import dev.election.autoconfigure.metrics.ApplicationTag;
import dev.election.autoconfigure.store.RequiredElections;
import dev.election.autoconfigure.store.RequiredLedgerStore;
import dev.election.autoconfigure.watch.WorkWatch;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.quartz.internal.rules.GuardRules;
import dev.election.quartz.internal.rules.QuartzSettings;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.StoreTransactions;
import dev.election.quartz.internal.turns.QuartzGuards;
import dev.election.spring.guard.GuardedElsewhere;
import dev.election.spring.lifecycle.WantedElections;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.quartz.Job;
import org.quartz.Scheduler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.quartz.autoconfigure.QuartzTransactionManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.function.SingletonSupplier;

/** Guards the jobs of all Quartz schedulers that are beans. Each context guards its own. */
@AutoConfiguration(
        after = {
            ElectionJobsAutoConfiguration.class,
            ElectionWatchAutoConfiguration.class,
            ElectionMetricsAutoConfiguration.class
        })
@ConditionalOnClass({Scheduler.class, SchedulerFactoryBean.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionQuartzProperties.class)
@ImportRuntimeHints(ElectionQuartzRuntimeHints.class)
public final class ElectionQuartzAutoConfiguration {

    /** The scheduler enforces the guard of a job: a proxy would skip the call, and Quartz would count the trigger as fired. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static GuardedElsewhere quartzJobsAreGuardedByTheirScheduler() {
        return Job.class::isAssignableFrom;
    }

    /** The guards, unless they are switched off, with the checks of their ledger and of work that outlasts its leadership. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "election.quartz.enabled", matchIfMissing = true)
    static final class Guards {

        private final StoreTransactions transactions;

        Guards(
                ObjectProvider<PlatformTransactionManager> transactions,
                @QuartzTransactionManager ObjectProvider<PlatformTransactionManager> quartzTransactions) {
            this.transactions = new QuartzStoreTransactions(() -> {
                PlatformTransactionManager own = quartzTransactions.getIfUnique();
                return own != null ? own : transactions.getIfUnique();
            });
        }

        @Bean
        @Lazy(false)
        @ConditionalOnMissingBean(name = "electionQuartzGuards", search = SearchStrategy.CURRENT)
        QuartzGuards electionQuartzGuards(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<Elections> elections,
                SharedLedgers ledgers,
                JobHistory history,
                ObjectProvider<QuartzObserver> observers,
                ObjectProvider<WorkWatch> watches,
                ElectionQuartzProperties properties) {
            return new QuartzGuards(
                    RequiredElections.of(elections, "The application has guarded Quartz schedulers", beans),
                    new QuartzSettings(
                            new GuardRules(
                                    name -> String.valueOf(beans.resolveEmbeddedValue(name)),
                                    properties.groups(),
                                    properties.election()),
                            properties.choice()),
                    new JobRecords(ledgers, history),
                    observer(observers, watches),
                    transactions,
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

        @Bean
        @ConditionalOnMissingBean(name = "electionQuartzLedgerCheck")
        @ConditionalOnBean(name = "electionJobsLedgerStore")
        @ConditionalOnProperty(name = "election.jobs.ledger", havingValue = "store", matchIfMissing = true)
        QuartzLedgerCheck electionQuartzLedgerCheck(QuartzGuards guards, RequiredLedgerStore ledgerStore) {
            return new QuartzLedgerCheck(guards::names, ledgerStore::getIfAvailable);
        }

        private static QuartzObserver observer(
                ObjectProvider<QuartzObserver> observers, ObjectProvider<WorkWatch> watches) {
            return QuartzObserver.of(
                    Stream.concat(observers.orderedStream(), watches.stream().map(Guards::begunWork))
                            .toList());
        }

        private static QuartzObserver begunWork(WorkWatch watch) {
            return new QuartzObserver() {
                @Override
                public LeaderWork begun(String election, String job, LeaderWork work) {
                    return watch.watch(election, "job " + job, work);
                }
            };
        }

        /** The meters {@code election.quartz.*}. */
        @Configuration(proxyBeanMethods = false)
        @ConditionalOnClass(MeterRegistry.class)
        @ConditionalOnBean(MeterRegistry.class)
        static final class Meters {

            @Bean
            @ConditionalOnMissingBean(name = "electionQuartzMeters")
            QuartzMeters electionQuartzMeters(
                    ObjectProvider<MeterRegistry> registry, ObjectProvider<ElectionEngine> engine) {
                return new QuartzMeters(
                        SingletonSupplier.of(registry::getObject), () -> ApplicationTag.of(engine.getIfAvailable()));
            }
        }
    }
}
