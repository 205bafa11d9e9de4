package dev.election.quartz.internal.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.quartz.impl.jdbcjobstore.JobStoreCMT;
import org.quartz.impl.jdbcjobstore.JobStoreSupport;
import org.quartz.spi.JobStore;
import org.quartz.utils.DBConnectionManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The records of firings that the nodes of a cluster have acquired or fired and not completed, in a job store in a database. A node that
 * takes over from one that it takes for dead removes that one's records, and no record has the name of an earlier one.
 */
final class FiringRecords {

    private static final Logger log = LoggerFactory.getLogger(FiringRecords.class);

    /** Failures before the records count as unreadable: a store of the application's own may keep them elsewhere. */
    private static final int MOST_FAILURES = 3;

    private final @Nullable JobStoreSupport store;
    private final String scheduler;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile boolean isReadable;

    private FiringRecords(@Nullable JobStoreSupport store, String scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    static FiringRecords of(JobStore store, String scheduler) {
        return new FiringRecords(store instanceof JobStoreSupport database ? database : null, scheduler);
    }

    /** Finds out whether the records can be read, unless that is known. Called when the store has just answered. */
    void check() {
        if (store == null || isReadable || failures.get() >= MOST_FAILURES) {
            return;
        }
        try {
            isReadable = !has("");
        } catch (SQLException | RuntimeException unreadable) {
            if (failures.incrementAndGet() == MOST_FAILURES) {
                log.warn(
                        "The records of firings (FIRED_TRIGGERS) in the job store of '{}' can't be read. After a long pause, or an outage of the database, this"
                                + " process may end a firing that another node has taken over, and a job with @DisallowConcurrentExecution may run"
                                + " twice at a time. Allow the database user to read that table",
                        scheduler,
                        unreadable);
            }
        }
    }

    /**
     * Whether the record of that firing is still there, so that no other node has taken it over; {@code true} if the records can't be read.
     */
    boolean has(String fireInstanceId) throws SQLException {
        if (store == null || failures.get() >= MOST_FAILURES) {
            return true;
        }
        String select =
                "SELECT 1 FROM " + store.getTablePrefix() + "FIRED_TRIGGERS WHERE SCHED_NAME = ? AND ENTRY_ID = ?";
        try (Connection connection = DBConnectionManager.getInstance().getConnection(dataSource(store));
                PreparedStatement statement = connection.prepareStatement(select)) {
            statement.setString(1, scheduler);
            statement.setString(2, fireInstanceId);
            try (ResultSet found = statement.executeQuery()) {
                return found.next();
            }
        }
    }

    /** The data source of connections that belong to no transaction of the caller. */
    private static String dataSource(JobStoreSupport store) {
        return store instanceof JobStoreCMT managed ? managed.getNonManagedTXDataSource() : store.getDataSource();
    }
}
