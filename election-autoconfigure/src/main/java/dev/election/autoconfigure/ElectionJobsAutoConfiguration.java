package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.internal.JobsLifecycle;
import dev.election.autoconfigure.store.RequiredElections;
import dev.election.autoconfigure.store.RequiredLedgerStore;
import dev.election.jobs.JobRun;
import dev.election.jobs.JobRunListener;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.jobs.requests.JobRequests;
import dev.election.spring.scheduling.JobObserver;
import dev.election.spring.scheduling.PartitionedMethods;
import dev.election.spring.scheduling.ScheduledJobs;
import dev.election.spring.scheduling.ScheduledMethods;
import dev.election.spring.scheduling.SlotSchedulingConfigurer;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
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
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/** Records what leaders have run of scheduled jobs, in one ledger for all that schedules jobs, and recovers missed slots. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionJobsProperties.class)
public final class ElectionJobsAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(ElectionJobsAutoConfiguration.class);

    /** How many runs of each job are kept: as many as the page shows at a glance. All of a job are read and written at once. */
    private static final int KEPT_RUNS = 20;

    @Bean
    @ConditionalOnMissingBean(name = "electionJobsLedgerStore")
    RequiredLedgerStore electionJobsLedgerStore(
            ObjectProvider<LedgerStore> ledgerStores,
            ObjectProvider<LeaseStore> stores,
            ObjectProvider<Elections> elections,
            ElectionJobsProperties properties) {
        return new RequiredLedgerStore(ledgerStores, stores, elections, isKept(properties));
    }

    @Bean
    @ConditionalOnMissingBean(name = "electionSharedLedgers")
    SharedLedgers electionSharedLedgers(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            RequiredLedgerStore electionJobsLedgerStore) {
        return new SharedLedgers(
                RequiredElections.of(elections, "The application has scheduled jobs with leader guards", beans),
                electionJobsLedgerStore,
                InstantSource.system());
    }

    @Bean
    @ConditionalOnMissingBean(name = "electionJobHistory")
    JobHistory electionJobHistory(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            RequiredLedgerStore electionJobsLedgerStore,
            ObjectProvider<JobRunListener> listeners) {
        return new JobHistory(
                RequiredElections.of(elections, "The application has scheduled jobs with leader guards", beans),
                electionJobsLedgerStore::getIfAvailable,
                KEPT_RUNS,
                InstantSource.system(),
                run -> listeners.orderedStream().forEach(listener -> tell(listener, run)));
    }

    @Bean
    @ConditionalOnMissingBean(name = "electionJobRequests")
    JobRequests electionJobRequests(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            ObjectProvider<LeaseStore> stores) {
        return new JobRequests(
                RequiredElections.of(elections, "The application has scheduled jobs with leader guards", beans),
                stores::getIfUnique);
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(name = "electionJobsLifecycle")
    JobsLifecycle electionJobsLifecycle(
            ApplicationContext context,
            SharedLedgers electionSharedLedgers,
            JobHistory electionJobHistory,
            JobRequests electionJobRequests,
            ObjectProvider<Elections> elections) {
        return new JobsLifecycle(
                context,
                electionSharedLedgers,
                electionJobHistory,
                electionJobRequests,
                () -> elections.getIfUnique() != null);
    }

    /** Each context has the slots of its own methods, and recovers missed ones. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "electionScheduledJobs", search = SearchStrategy.CURRENT)
    static ScheduledJobs electionScheduledJobs(
            ConfigurableListableBeanFactory beans,
            SharedLedgers electionSharedLedgers,
            JobHistory electionJobHistory,
            JobRequests electionJobRequests,
            ObjectProvider<JobObserver> observers,
            ElectionJobsProperties properties) {
        EmbeddedValueResolver resolver = new EmbeddedValueResolver(beans);
        return new ScheduledJobs(
                new JobRecords(electionSharedLedgers, electionJobHistory),
                electionJobRequests,
                new ScheduledMethods(isKept(properties), text -> String.valueOf(resolver.resolveStringValue(text))),
                beans::getBean,
                SingletonSupplier.of(
                        () -> JobObserver.of(observers.orderedStream().toList())),
                System::nanoTime);
    }

    @Bean
    @ConditionalOnMissingBean(name = "electionSlotSchedulingConfigurer", search = SearchStrategy.CURRENT)
    SlotSchedulingConfigurer electionSlotSchedulingConfigurer(
            ScheduledJobs electionScheduledJobs, ObjectProvider<PartitionedMethods> partitioned) {
        return new SlotSchedulingConfigurer(electionScheduledJobs, partitioned.getIfAvailable());
    }

    @Bean
    ApplicationListener<ApplicationReadyEvent> electionSlotSchedulingCheck(
            SlotSchedulingConfigurer electionSlotSchedulingConfigurer) {
        return ready -> electionSlotSchedulingConfigurer.check();
    }

    private static boolean isKept(ElectionJobsProperties properties) {
        return properties.ledger() == ElectionJobsProperties.Ledger.STORE;
    }

    private static void tell(JobRunListener listener, JobRun run) {
        try {
            listener.ended(run);
        } catch (RuntimeException defect) {
            log.error("{} failed when it was told that a run of the job '{}' has ended", listener, run.job(), defect);
        }
    }
}
