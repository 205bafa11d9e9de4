package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.internal.JobsLifecycle;
import dev.election.autoconfigure.internal.RequiredElections;
import dev.election.autoconfigure.internal.RequiredLedgerStore;
import dev.election.autoconfigure.internal.watch.Impediment;
import dev.election.autoconfigure.internal.watch.Impediments;
import dev.election.jobs.JobRun;
import dev.election.jobs.JobRunListener;
import dev.election.jobs.internal.JobHistory;
import dev.election.jobs.internal.SharedLedgers;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Records what leaders have run of scheduled jobs, in one ledger for all that schedules jobs. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionJobsProperties.class)
public final class ElectionJobsAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(ElectionJobsAutoConfiguration.class);

    @Bean
    @ConditionalOnMissingBean
    RequiredLedgerStore electionJobsLedgerStore(
            ObjectProvider<LedgerStore> ledgerStores,
            ObjectProvider<LeaseStore> stores,
            ObjectProvider<Elections> elections,
            ElectionJobsProperties properties) {
        return new RequiredLedgerStore(ledgerStores, stores, elections, properties.ledger());
    }

    @Bean
    @ConditionalOnMissingBean
    SharedLedgers electionSharedLedgers(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            RequiredLedgerStore ledgerStore) {
        return new SharedLedgers(
                RequiredElections.of(elections, "The application has scheduled jobs with leader guards", beans),
                ledgerStore,
                InstantSource.system());
    }

    @Bean
    @ConditionalOnMissingBean
    JobHistory electionJobHistory(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            RequiredLedgerStore ledgerStore,
            ObjectProvider<JobRunListener> listeners,
            ElectionJobsProperties properties) {
        return new JobHistory(
                RequiredElections.of(elections, "The application has scheduled jobs with leader guards", beans),
                ledgerStore::getIfAvailable,
                properties.history(),
                InstantSource.system(),
                run -> listeners.orderedStream().forEach(listener -> tell(listener, run)));
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    JobsLifecycle electionJobsLifecycle(
            ApplicationContext context,
            SharedLedgers ledgers,
            JobHistory history,
            RequiredLedgerStore ledgerStore,
            ObjectProvider<Elections> elections) {
        return new JobsLifecycle(context, ledgers, history, ledgerStore, () -> elections.getIfUnique() != null);
    }

    private static void tell(JobRunListener listener, JobRun run) {
        try {
            listener.ended(run);
        } catch (RuntimeException defect) {
            log.error("{} failed when it was told that a run of the job '{}' has ended", listener, run.job(), defect);
        }
    }

    @Bean
    @ConditionalOnMissingBean(name = "electionJobsImpediments")
    Impediments electionJobsImpediments(SharedLedgers ledgers) {
        return election -> ledgers
                .problem(election)
                .map(found -> new Impediment(
                        "jobs",
                        found.problem().name(),
                        found.action(),
                        found.detail(),
                        found.since(),
                        found.stopsJobs()))
                .stream()
                .toList();
    }
}
