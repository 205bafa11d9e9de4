package dev.election.jdbc.internal;

import dev.election.StoreProblem;
import dev.election.jdbc.JdbcSettings;
import dev.election.jdbc.JdbcTable;
import dev.election.store.NoAnswer;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLTimeoutException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** Meaning of an error of a database. Codes that begin with a letter or have five digits are those of SQLSTATE, others those of MySQL and MariaDB. */
final class SqlProblem {

    /** A transaction was rolled back in favour of another one, or the row was changed or made meanwhile; H2's and MariaDB's have codes of their own. */
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01", "90131", "1213", "1020", "23505", "1062");

    private static final Set<String> TIMEOUTS = Set.of("57014", "1969", "3024");
    private static final Set<String> LOCK_TIMEOUTS = Set.of("55P03", "HYT00", "1205");
    private static final Set<String> MISSING_TABLES =
            Set.of("42P01", "3F000", "42S02", "42S03", "42S04", "90079", "1146");
    private static final Set<String> REFUSED = Set.of("42501", "90096", "1044", "1142", "1143", "1227");
    private static final Set<String> READ_ONLY = Set.of(Session.READ_ONLY, "90097", "1290", "1792", "1836");
    private static final Set<String> TOO_MANY = Set.of("53300", "1040", "1203", "1226");
    private static final Set<String> UNAUTHENTICATED = Set.of("28000", "28P01", "1045", "1698");
    private static final Set<String> QUEUE_FULL = Set.of("54000");
    private static final Set<String> NO_NOTIFY = Set.of("42501", "42883");
    private static final Set<String> STARTING = Set.of("57P03", "1053");
    private static final Set<String> DISK_FULL = Set.of("53100", "1021", "1114", "58030");

    private SqlProblem() {}

    /** Whether it is certain that nothing was changed, since another change came first. */
    static boolean isConflict(SQLException failure) {
        return is(failure, CONFLICTS);
    }

    /** Whether nothing was changed, since notifications pile up that somebody else does not fetch. */
    static boolean isQueueFull(SQLException failure) {
        return is(failure, QUEUE_FULL);
    }

    /** Whether nothing was changed, since the server may have no notifications, or not for this user. */
    static boolean mayLackNotify(SQLException failure) {
        return is(failure, NO_NOTIFY) || stateOf(failure).startsWith("0A");
    }

    /** Whether nothing was wrong with the request, so that it may succeed when it is repeated. */
    static boolean isPassing(SQLException failure) {
        return isConflict(failure)
                || is(failure, TIMEOUTS)
                || is(failure, LOCK_TIMEOUTS)
                || failure instanceof SQLTimeoutException;
    }

    /** Whether there is no table of that name. */
    static boolean isTableMissing(SQLException failure) {
        return is(failure, MISSING_TABLES);
    }

    /** Whether the failure comes from what a new connection looks at: the table, and the permissions of the user. */
    static boolean isOfSchema(SQLException failure) {
        return isTableMissing(failure) || isRefused(failure);
    }

    /** Whether the user lacks a permission. */
    static boolean isRefused(SQLException failure) {
        return is(failure, REFUSED);
    }

    /** Whether the connection can be used no more, or may not be. */
    static boolean isConnectionLost(SQLException failure) {
        return !(isConflict(failure)
                || is(failure, TIMEOUTS)
                || is(failure, LOCK_TIMEOUTS)
                || is(failure, MISSING_TABLES)
                || is(failure, REFUSED)
                || isQueueFull(failure)
                || stateOf(failure).startsWith("22")
                || stateOf(failure).startsWith("42")
                || stateOf(failure).startsWith("0A")
                || stateOf(failure).startsWith("55"));
    }

    /** Returns the answer to a request that has failed. */
    static NoAnswer of(SQLException failure, JdbcSettings settings) {
        JdbcTable table = settings.table();
        String detail = String.valueOf(failure.getMessage());
        StoreProblem problem = problem(failure);
        if (isTableMissing(failure)) {
            return new NoAnswer(
                    problem,
                    detail,
                    "the table " + table.qualified()
                            + " does not exist: create it by META-INF/election/jdbc/schema-<database>.sql of election-jdbc,"
                            + " or set " + settings.names().creation() + "=always with a user that may create tables");
        }
        return switch (problem) {
            case FORBIDDEN ->
                new NoAnswer(
                        problem,
                        detail,
                        "the database user lacks a permission: grant it select, insert, update and delete on the table "
                                + table.qualified());
            case TIMED_OUT, BUSY ->
                new NoAnswer(
                        problem,
                        detail,
                        "the database does not answer in time: check its load, the network, and who holds locks of the table "
                                + table.qualified());
            case READ_ONLY ->
                new NoAnswer(
                        problem, detail, "the database takes no writes: connect to the primary, in read-write mode");
            case TOO_FEW_REPLICAS ->
                new NoAnswer(
                        problem,
                        detail,
                        "no synchronous standby has confirmed the write in time: check synchronous_standby_names and the"
                                + " standbys");
            default -> new NoAnswer(problem, detail);
        };
    }

    private static StoreProblem problem(SQLException failure) {
        if (is(failure, UNAUTHENTICATED)) {
            return StoreProblem.UNAUTHENTICATED;
        }
        if (is(failure, READ_ONLY)) {
            return StoreProblem.READ_ONLY;
        }
        if (is(failure, REFUSED)) {
            return StoreProblem.FORBIDDEN;
        }
        if (is(failure, TOO_MANY)) {
            return StoreProblem.TOO_MANY_CONNECTIONS;
        }
        if (is(failure, STARTING)) {
            return StoreProblem.LOADING;
        }
        if (is(failure, DISK_FULL)) {
            return StoreProblem.CANNOT_PERSIST;
        }
        if (is(failure, LOCK_TIMEOUTS)) {
            return StoreProblem.BUSY;
        }
        if (is(failure, TIMEOUTS) || failure instanceof SQLTimeoutException || isSilence(failure)) {
            return StoreProblem.TIMED_OUT;
        }
        if (stateOf(failure).equals(Session.UNCONFIRMED)) {
            return StoreProblem.TOO_FEW_REPLICAS;
        }
        return isUnreachable(failure) ? StoreProblem.UNREACHABLE : StoreProblem.UNKNOWN;
    }

    private static boolean isUnreachable(SQLException failure) {
        return failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLTransientConnectionException
                || stateOf(failure).startsWith("08")
                || stateOf(failure).startsWith("57P")
                || Set.of("90067", "90098", "90121").contains(stateOf(failure));
    }

    private static boolean isSilence(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException) {
                return true;
            }
        }
        return false;
    }

    private static boolean is(SQLException failure, Set<String> codes) {
        return codes.contains(stateOf(failure)) || codes.contains(Integer.toString(failure.getErrorCode()));
    }

    private static String stateOf(SQLException failure) {
        String state = failure.getSQLState();
        return state == null ? "" : state;
    }
}
