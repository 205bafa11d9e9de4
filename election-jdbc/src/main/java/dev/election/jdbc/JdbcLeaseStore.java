package dev.election.jdbc;

import dev.election.jdbc.internal.JdbcRecordStore;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.ForwardingLeaseStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Leases in a table of PostgreSQL, MySQL, MariaDB or H2. */
public final class JdbcLeaseStore extends ForwardingLeaseStore implements AutoCloseable {

    private final JdbcRecordStore records;

    private JdbcLeaseStore(JdbcRecordStore records, int history) {
        super(new RecordLeaseStore(records, "", new LeaseRules(history)));
        this.records = records;
    }

    /**
     * Creates the store. Returns at once, whether the database can be reached or not.
     *
     * @param database how to reach the database
     * @param shortestLease the shortest lease of the elections in this store: an answer is waited for a third of it, a second at least and
     *     ten seconds at most
     */
    public static JdbcLeaseStore open(JdbcDatabase database, Duration shortestLease) {
        return open(database, shortestLease, JdbcSettings.DEFAULT);
    }

    /** Creates the store with other settings. */
    public static JdbcLeaseStore open(JdbcDatabase database, Duration shortestLease, JdbcSettings settings) {
        return new JdbcLeaseStore(new JdbcRecordStore(database, settings, shortestLease), settings.history());
    }

    /** Examines the database, and changes nothing. Fails if it can't be reached. */
    public CompletionStage<JdbcVitals> checkUp() {
        return records.checkUp();
    }

    @Override
    public void close() {
        records.close();
    }
}
