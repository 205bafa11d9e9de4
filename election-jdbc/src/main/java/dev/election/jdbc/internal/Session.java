package dev.election.jdbc.internal;

import dev.election.jdbc.JdbcTable;
import dev.election.record.Continuity;
import dev.election.record.RecordStore.Origin;
import dev.election.support.RandomId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connection of the elections. It commits each statement, and leaves nothing in the session of the server. */
final class Session implements AutoCloseable {

    /** SQLSTATE of PostgreSQL for a server that can't be written to. */
    static final String READ_ONLY = "25006";

    /** SQLSTATE of a write that PostgreSQL has committed without its synchronous standbys. */
    static final String UNCONFIRMED = "01000";

    private final Connection connection;
    private final Dialect dialect;
    private final int querySeconds;
    private final String id = RandomId.ofBytes(16);
    private final Statements statements;

    /** The continuity that the latest answer showed. */
    private volatile @Nullable Continuity shown;

    private final long openedAt = System.nanoTime();
    private volatile boolean notifies;
    private volatile long usedAt = System.nanoTime();
    private volatile boolean isSuspect;

    /**
     * Creates the session, and asks the server which statements it supports.
     *
     * @param connection that was set up
     * @param notifies whether changes notify those who listen, where the database can
     */
    Session(Connection connection, Dialect dialect, JdbcTable table, Duration limit, boolean notifies)
            throws SQLException {
        this.connection = connection;
        this.dialect = dialect;
        this.notifies = notifies;
        this.querySeconds = seconds(limit);
        if (dialect == Dialect.H2) {
            nameIncarnation(table);
        }
        this.statements = allowed(Statements.of(dialect, table));
    }

    /** Sets up a connection before its first statement: a pool may lend connections without time limits, or within a transaction. */
    static void setUp(Connection connection, Duration limit) throws SQLException {
        connection.setAutoCommit(true);
        // A statement that waits is cancelled before, so that the server does not go on with it.
        connection.setNetworkTimeout(Runnable::run, (int) (seconds(limit) * 1000L + 500));
    }

    /** Converts a limit to that of a statement. */
    static int seconds(Duration limit) {
        return (int) Math.max(1, limit.toSeconds());
    }

    private void nameIncarnation(JdbcTable table) throws SQLException {
        String name = table.qualified() + "_incarnation";
        try (Statement statement = connection.createStatement()) {
            statement.execute("merge into " + name + " using (select 1 as one) s on " + name + ".one = s.one"
                    + " when not matched then insert values (1, random_uuid())");
        } catch (SQLIntegrityConstraintViolationException named) {
            // By another connection, between the look and the insert of this one.
        }
    }

    /** Returns the first statements of which this server has the functions, and this user may call them. */
    private Statements allowed(List<Statements> choices) throws SQLException {
        for (Statements choice : choices.subList(0, choices.size() - 1)) {
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(querySeconds);
                statement.executeQuery(choice.origin).close();
                return choice;
            } catch (SQLException refused) {
                // Statements that were only cancelled must not count as refused: each new connection would cost a wait.
                if (SqlProblem.isConnectionLost(refused) || SqlProblem.isPassing(refused)) {
                    throw refused;
                }
            }
        }
        return choices.get(choices.size() - 1);
    }

    Statements statements() {
        return statements;
    }

    /** Suffix of an insert or update that notifies listeners; empty if it should not. */
    String notification() {
        return notifies ? statements.notify : "";
    }

    /** Lets changes on this connection notify nobody from now on. */
    void stopNotifying() {
        notifies = false;
    }

    Dialect dialect() {
        return dialect;
    }

    String product() throws SQLException {
        return connection.getMetaData().getDatabaseProductName() + " "
                + connection.getMetaData().getDatabaseProductVersion();
    }

    /** Whether a pooler is between this process and the server, as far as can be told: then other clients may leave something in the session. */
    boolean isPooled() throws SQLException {
        return dialect == Dialect.POSTGRESQL && PostgresNotifications.isPooled(connection);
    }

    PreparedStatement prepare(String sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        statement.setQueryTimeout(querySeconds);
        return statement;
    }

    /** Makes a change, and returns its origin; {@code null} if there was nothing to change. */
    @Nullable
    Origin change(PreparedStatement statement) throws SQLException {
        if (!dialect.returns()) {
            return statement.executeUpdate() == 0 ? null : origin();
        }
        try (ResultSet row = statement.executeQuery()) {
            Origin origin = row.next() ? origin(row) : null;
            requireConfirmed(statement.getWarnings());
            return origin;
        }
    }

    /** Asks the server for its incarnation and its time. */
    Origin origin() throws SQLException {
        try (PreparedStatement statement = prepare(statements.origin);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return origin(row);
        }
    }

    /** Reads from a row which server has returned it, and when. */
    Origin origin(ResultSet row) throws SQLException {
        if (row.getInt("writable") == 0) {
            throw new SQLException("The server takes no writes", READ_ONLY);
        }
        String incarnation = row.getString("incarnation");
        String server = row.getString("server");
        Continuity continuity = incarnation == null
                ? Continuity.ofConnection(server == null ? id : id + "-" + server)
                : dialect.continuity(incarnation);
        shown = continuity;
        return new Origin(Instant.EPOCH.plus(row.getLong("clock"), ChronoUnit.MICROS), continuity);
    }

    /** Whether the latest answer came from the server that has shown that continuity. */
    boolean hasShown(Continuity continuity) {
        return continuity.isSameAs(shown);
    }

    /** PostgreSQL commits a write whose wait for a synchronous standby is cancelled, and only warns. */
    static void requireConfirmed(@Nullable SQLWarning first) throws SQLException {
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            // The state is that of every warning without one of its own.
            if (UNCONFIRMED.equals(warning.getSQLState()) && !PostgresNotifications.isOfQueue(warning)) {
                throw new SQLException(warning.getMessage(), UNCONFIRMED);
            }
        }
    }

    void markUsed() {
        usedAt = System.nanoTime();
        isSuspect = false;
    }

    boolean isOlderThan(Duration age) {
        return System.nanoTime() - openedAt > age.toNanos();
    }

    void suspect() {
        isSuspect = true;
    }

    /** Whether it can be used: one that was not used lately may have been cut off meanwhile. */
    boolean isUsable(Duration unusedFor) {
        boolean isTrusted = !isSuspect && System.nanoTime() - usedAt < unusedFor.toNanos();
        try {
            return isTrusted || connection.isValid(querySeconds);
        } catch (SQLException broken) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException broken) {
            // It is given up anyway.
        }
    }

    /** Ends a request under way on another thread, too. */
    void abort() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException broken) {
            // It is given up anyway.
        }
    }
}
