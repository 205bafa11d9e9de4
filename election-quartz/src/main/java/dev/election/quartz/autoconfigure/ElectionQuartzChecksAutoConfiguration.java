package dev.election.quartz.autoconfigure;

import dev.election.LeaderWork;
import dev.election.autoconfigure.ElectionWatchAutoConfiguration;
import dev.election.autoconfigure.store.RequiredLedgerStore;
import dev.election.autoconfigure.watch.WorkWatch;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.turns.QuartzGuards;
import org.quartz.Scheduler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** The checks of guarded jobs: of their ledger after the start, and of work that outlasts its leadership. */
@AutoConfiguration(after = {ElectionQuartzAutoConfiguration.class, ElectionWatchAutoConfiguration.class})
@ConditionalOnClass(Scheduler.class)
@ConditionalOnBean(QuartzGuards.class)
public final class ElectionQuartzChecksAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "electionQuartzLedgerCheck")
    @ConditionalOnBean(RequiredLedgerStore.class)
    @ConditionalOnProperty(name = "election.jobs.ledger", havingValue = "store", matchIfMissing = true)
    QuartzLedgerCheck electionQuartzLedgerCheck(QuartzGuards guards, RequiredLedgerStore ledgerStore) {
        return new QuartzLedgerCheck(guards::names, ledgerStore::getIfAvailable);
    }

    @Bean
    @ConditionalOnBean(WorkWatch.class)
    QuartzObserver electionOutlastingJobsObserver(WorkWatch watch) {
        return new QuartzObserver() {
            @Override
            public LeaderWork begun(String election, String job, LeaderWork work) {
                return watch.watch(election, "job " + job, work);
            }
        };
    }
}
