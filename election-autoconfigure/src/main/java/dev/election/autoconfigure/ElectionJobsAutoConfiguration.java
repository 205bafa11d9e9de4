package dev.election.autoconfigure;

import dev.election.Elections;
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
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.env.Environment;

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

    /** Jobs may be added while the application runs. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(name = "electionLedgersFromTheStart")
    static SmartInitializingSingleton electionLedgersFromTheStart(
            ObjectProvider<SharedLedgers> ledgers, ObjectProvider<Elections> elections) {
        return () -> {
            if (elections.getIfUnique() != null) {
                ledgers.ifUnique(SharedLedgers::hearWhoLeads);
            }
        };
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

    /** Fails at the start, and not with the first run. Records that nobody asked for are done without. */
    @Bean
    @ConditionalOnMissingBean(name = "electionJobHistoryCheck")
    static SmartInitializingSingleton electionJobHistoryCheck(
            Environment environment, ObjectProvider<RequiredLedgerStore> ledgerStore) {
        return () -> {
            int asked = Binder.get(environment)
                    .bind("election.jobs.history", Integer.class)
                    .orElse(0);
            if (asked > 0) {
                ledgerStore.ifAvailable(RequiredLedgerStore::requireForRuns);
            }
        };
    }

    /** The end of a run must be written before the store is closed. */
    @Bean
    ApplicationListener<ContextClosedEvent> electionJobHistoryEnd(ApplicationContext context) {
        return closed -> {
            // A context is told of the end of its children too, and a child may use the history of its parent.
            if (closed.getApplicationContext() == context) {
                for (String own : context.getBeanNamesForType(JobHistory.class, true, false)) {
                    context.getBean(own, JobHistory.class).end();
                }
            }
        };
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
