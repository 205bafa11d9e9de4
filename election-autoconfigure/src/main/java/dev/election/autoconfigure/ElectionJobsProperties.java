package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of all scheduled jobs, of Quartz and {@code @Scheduled} alike.
 *
 * @param ledger where a leader records which slots it has run, for the next leader
 * @param history how many runs of each job are kept in the store for the endpoint and JobRuns, at most 1000; 0 for none
 */
@ConfigurationProperties("election.jobs")
public record ElectionJobsProperties(@DefaultValue("store") Ledger ledger, @DefaultValue("20") int history) {

    /** Upper bound of the runs of a job that are kept: all of them are read and shown at once. */
    private static final int MOST = 1_000;

    public ElectionJobsProperties {
        if (history < 0 || history > MOST) {
            throw ElectionConfigurationException.ofProperty(
                    "election.jobs.history", "It must be 0 to " + MOST + ", but is " + history);
        }
    }

    /** Where a leader records which slots it has run. */
    public enum Ledger {
        /** In the store of the elections, which must have a {@link dev.election.store.LedgerStore}, or in the bean of that type. */
        STORE,
        /** Nowhere: missed slots are not run, and slots may be run again by the next leader. */
        OFF
    }
}
