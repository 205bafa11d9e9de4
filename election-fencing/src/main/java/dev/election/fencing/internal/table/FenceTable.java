package dev.election.fencing.internal.table;

import dev.election.FencingToken;
import dev.election.fencing.internal.table.RaiseOutcome.Newer;
import dev.election.fencing.internal.table.RaiseOutcome.OfOtherElection;
import dev.election.fencing.internal.table.RaiseOutcome.Raised;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;

/**
 * The table {@code election_fence}: for each resource the newest token under which it is written.
 *
 * <p>A raise is a few statements with automatic commit, not one transaction: so each of them sees what the others have committed whatever the
 * isolation level of the database is, and an insert that comes second spoils nothing.
 */
public final class FenceTable {

    private static final int RAISE_ATTEMPTS = 10;

    private static final String UPDATE =
            "update election_fence set token = ?, raised_at = current_timestamp where" + " resource = ? and token < ?";
    private static final String UPDATE_OF_ELECTION =
            "update election_fence set token = ?, election = ?, raised_at = current_timestamp where resource = ? and token < ?"
                    + " and (election is null or election = ?)";
    private static final String ADOPT =
            "update election_fence set election = ? where resource = ? and election is null";
    private static final String INSERT =
            "insert into election_fence (token, election, resource, raised_at) values (?, ?, ?, current_timestamp)";
    private static final String SELECT = "select election, token from election_fence where resource = ?";

    private final Supplier<DataSource> database;
    private final int lockSeconds;
    private volatile @Nullable FenceDialect dialect;

    /**
     * Creates the table of that database.
     *
     * @param database whose connections take no part in a transaction of the thread
     * @param lockTimeout how long a statement waits for the lock of a row; whole seconds
     */
    public FenceTable(Supplier<DataSource> database, Duration lockTimeout) {
        this.database = database;
        this.lockSeconds = (int) Math.min(Integer.MAX_VALUE, Math.max(1, lockTimeout.toSeconds()));
    }

    /**
     * A row.
     *
     * @param election to which it belongs; {@code null} if only receivers of tokens have raised it
     * @param token the newest
     */
    public record Row(@Nullable String election, long token) {}

    /**
     * Raises the row to the token unless it has that or a newer one, on a connection of its own. What is raised is committed when this
     * returns.
     *
     * @param election to which the row has to belong, {@code null} for any
     */
    public RaiseOutcome raise(String resource, @Nullable String election, FencingToken token) {
        String task = "Raising the resource '" + resource + "' to token " + token;
        SQLException last = null;
        try (Connection connection = database.get().getConnection()) {
            boolean commits = connection.getAutoCommit();
            if (!commits) {
                connection.setAutoCommit(true);
            }
            try {
                for (int attempt = 0; attempt < RAISE_ATTEMPTS; attempt++) {
                    try {
                        RaiseOutcome outcome = tryToRaise(connection, resource, election, token.value());
                        if (outcome != null) {
                            return outcome;
                        }
                    } catch (SQLException failure) {
                        FenceProblem problem = FenceProblem.of(failure);
                        if (problem != FenceProblem.CONFLICT && problem != FenceProblem.DUPLICATE) {
                            throw FenceProblem.translate(task, null, failure);
                        }
                        last = failure;
                    }
                }
            } finally {
                if (!commits) {
                    connection.setAutoCommit(false);
                }
            }
        } catch (SQLException failure) {
            throw new CannotGetJdbcConnectionException(
                    task + " failed: there is no connection to the database", failure);
        }
        throw new CannotAcquireLockException(
                task + " failed: " + RAISE_ATTEMPTS + " attempts met other changes of its row. Repeat the call", last);
    }

    /** Null if somebody else changed the row meanwhile. */
    private @Nullable RaiseOutcome tryToRaise(
            Connection connection, String resource, @Nullable String election, long token) throws SQLException {
        int updated = election == null
                ? execute(connection, UPDATE, token, resource, token)
                : execute(connection, UPDATE_OF_ELECTION, token, election, resource, token, election);
        if (updated == 1) {
            return new Raised();
        }
        Row row = select(connection, SELECT, resource);
        if (row == null) {
            execute(connection, INSERT, token, election, resource);
            return new Raised();
        }
        if (election != null && row.election() != null && !election.equals(row.election())) {
            return new OfOtherElection(row.election());
        }
        if (row.token() > token) {
            return new Newer(new FencingToken(row.token()));
        }
        if (row.token() < token) {
            return null;
        }
        if (election != null && row.election() == null) {
            execute(connection, ADOPT, election, resource);
            return null;
        }
        return new Raised();
    }

    /** The newest committed row, {@code null} if there is none. */
    @Nullable
    public Row read(String resource) {
        try (Connection connection = database.get().getConnection()) {
            return select(connection, SELECT, resource);
        } catch (SQLException failure) {
            throw FenceProblem.translate("Reading the token of the resource '" + resource + "'", SELECT, failure);
        }
    }

    /**
     * Reads the newest committed row and locks it against changes until the transaction of the connection ends.
     *
     * @return {@code null} if there is none
     */
    @Nullable
    public Row lock(Connection connection, String resource) {
        try {
            return select(connection, SELECT + " " + dialect(connection).lock(lockSeconds), resource);
        } catch (SQLException failure) {
            throw FenceProblem.translate("Checking the token of the resource '" + resource + "'", SELECT, failure);
        }
    }

    private @Nullable Row select(Connection connection, String sql, String resource) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, resource);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? new Row(rows.getString(1), rows.getLong(2)) : null;
        }
    }

    private int execute(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = prepare(connection, sql, parameters)) {
            return statement.executeUpdate();
        }
    }

    private PreparedStatement prepare(Connection connection, String sql, @Nullable Object... parameters)
            throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        try {
            dialect(connection).limit(statement, lockSeconds);
            for (int i = 0; i < parameters.length; i++) {
                if (parameters[i] instanceof Long number) {
                    statement.setLong(i + 1, number);
                } else {
                    statement.setString(i + 1, (String) parameters[i]);
                }
            }
            return statement;
        } catch (SQLException | RuntimeException | Error failure) {
            statement.close();
            throw failure;
        }
    }

    private FenceDialect dialect(Connection connection) throws SQLException {
        FenceDialect known = dialect;
        if (known == null) {
            known = FenceDialect.of(connection.getMetaData());
            dialect = known;
        }
        return known;
    }
}
