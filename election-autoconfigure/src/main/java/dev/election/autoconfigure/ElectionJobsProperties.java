package dev.election.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of all scheduled jobs, of Quartz and {@code @Scheduled} alike.
 *
 * @param ledger where a leader records which slots it has run, for the next leader
 */
@ConfigurationProperties("election.jobs")
public record ElectionJobsProperties(@DefaultValue("store") Ledger ledger) {

    /** Where a leader records which slots it has run. */
    public enum Ledger {
        /** In the store of the elections, which must have a {@link dev.election.store.LedgerStore}, or in the bean of that type. */
        STORE,
        /** Nowhere: missed slots are not run, and slots may be run again by the next leader. */
        OFF
    }
}
