package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.JobRunListener;
import dev.election.ledger.JobHistory;
import dev.election.ledger.SharedLedgers;
import dev.election.store.LeaseStore;
import dev.election.store.Logbook;
import dev.election.watch.Impediment;
import dev.election.watch.Impediments;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;

/** Records what leaders have run of scheduled jobs, in one ledger for all that schedules jobs. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionJobsProperties.class)
public final class ElectionJobsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RequiredLogbook electionJobsLogbook(
            ObjectProvider<Logbook> books,
            ObjectProvider<LeaseStore> stores,
            ObjectProvider<Elections> elections,
            ElectionJobsProperties properties) {
        return new RequiredLogbook(books, stores, elections, properties.ledger());
    }

    @Bean
    @ConditionalOnMissingBean
    SharedLedgers electionSharedLedgers(
            ConfigurableListableBeanFactory beans, ObjectProvider<Elections> elections, RequiredLogbook logbook) {
        return new SharedLedgers(
                RequiredElections.of(elections, "The application has scheduled jobs with leader guards", beans),
                logbook,
                InstantSource.system());
    }

    @Bean
    @ConditionalOnMissingBean
    JobHistory electionJobHistory(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            RequiredLogbook logbook,
            ObjectProvider<JobRunListener> listeners,
            ElectionJobsProperties properties) {
        return new JobHistory(
                RequiredElections.of(elections, "The application has scheduled jobs with leader guards", beans),
                logbook::getIfAvailable,
                properties.history(),
                InstantSource.system(),
                run -> listeners.orderedStream().forEach(listener -> listener.ended(run)));
    }

    /** The end of a run must be written before the store is closed. */
    @Bean
    ApplicationListener<ContextClosedEvent> electionJobHistoryEnd(ObjectProvider<JobHistory> history) {
        return closed -> history.ifAvailable(JobHistory::end);
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
