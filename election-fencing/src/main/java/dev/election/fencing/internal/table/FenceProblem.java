package dev.election.fencing.internal.table;

import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;

/** The meaning of a database error for the row of a resource. */
enum FenceProblem {
    /** Another transaction changed the row after this one began, or the two wait for each other. */
    CONFLICT,
    /** Another transaction holds the row. */
    LOCKED,
    /** The row was inserted meanwhile. */
    DUPLICATE,
    NO_TABLE,
    OTHER;

    /** Besides those of class 40: H2's row that was updated concurrently; MariaDB has a number only. */
    private static final String H2_CONCURRENT_UPDATE = "90131";

    private static final int MARIADB_CHANGED_SINCE_READ = 1020;

    /** PostgreSQL's cancelled statement and lock timeout, H2's lock timeout, MariaDB's statement timeout. */
    private static final Set<String> LOCK_TIMEOUTS = Set.of("57014", "55P03", "HYT00", "70100");

    /** MySQL's and MariaDB's lock wait timeout, of which the state depends on the driver. */
    private static final int INNODB_LOCK_TIMEOUT = 1205;

    private static final Set<String> MISSING_TABLES = Set.of("42P01", "42S02", "42S03", "42S04");

    static FenceProblem of(SQLException failure) {
        String state = stateOf(failure);
        if (failure instanceof SQLTimeoutException
                || failure.getErrorCode() == INNODB_LOCK_TIMEOUT
                || LOCK_TIMEOUTS.contains(state)) {
            return LOCKED;
        }
        if (state.startsWith("40")
                || state.equals(H2_CONCURRENT_UPDATE)
                || failure.getErrorCode() == MARIADB_CHANGED_SINCE_READ) {
            return CONFLICT;
        }
        if (MISSING_TABLES.contains(state)) {
            return NO_TABLE;
        }
        return state.startsWith("23") ? DUPLICATE : OTHER;
    }

    private static String stateOf(SQLException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException described && described.getSQLState() != null) {
                return described.getSQLState();
            }
        }
        return "";
    }

    /** Describes it as an exception of Spring. */
    static DataAccessException translate(String task, @Nullable String sql, SQLException failure) {
        return switch (of(failure)) {
            case CONFLICT ->
                new ConcurrencyFailureException(
                        task + " failed: another transaction changed the row of the resource. Repeat the transaction",
                        failure);
            case LOCKED ->
                new CannotAcquireLockException(
                        task
                                + " failed: another transaction has held the row of the resource in election_fence for too long,"
                                + " perhaps that of a leader that stopped within its commit. Repeat the call, and let the database end idle"
                                + " transactions (idle_in_transaction_session_timeout, idle_transaction_timeout or wait_timeout)",
                        failure);
            case NO_TABLE ->
                new InvalidDataAccessResourceUsageException(
                        task + " failed: the table election_fence does not exist. Create it with the script"
                                + " META-INF/election/fencing/schema-<database>.sql of election-fencing, or set"
                                + " election.fencing.jdbc.initialize-schema=always",
                        failure);
            case DUPLICATE, OTHER -> {
                DataAccessException translated = new SQLExceptionSubclassTranslator().translate(task, sql, failure);
                yield translated != null ? translated : new UncategorizedSQLException(task, sql, failure);
            }
        };
    }
}
