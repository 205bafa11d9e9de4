package dev.election.quartz;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.quartz.impl.jdbcjobstore.JobStoreCMT;
import org.quartz.impl.jdbcjobstore.JobStoreSupport;
import org.quartz.spi.JobStore;
import org.quartz.utils.DBConnectionManager;

/**
 * What the nodes of a cluster have acquired or fired and not completed, in a job store in a database. A node that takes over from
 * one that it holds for dead removes that one's records, and no record has the name of an earlier one.
 */
final class FiringRecords {

    private final @Nullable JobStoreSupport store;
    private final String scheduler;

    private FiringRecords(@Nullable JobStoreSupport store, String scheduler) {
        this.store = store;
        this.scheduler = scheduler;
    }

    static FiringRecords of(JobStore store, String scheduler) {
        return new FiringRecords(store instanceof JobStoreSupport database ? database : null, scheduler);
    }

    /** Whether that one is still there, and so its node's business; {@code true} if such a store does not tell. */
    boolean has(String fireInstanceId) throws SQLException {
        if (store == null) {
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

    /** Never the one whose connections may belong to a transaction of the caller. */
    private static String dataSource(JobStoreSupport store) {
        return store instanceof JobStoreCMT managed ? managed.getNonManagedTXDataSource() : store.getDataSource();
    }
}
