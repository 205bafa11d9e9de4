package dev.election.jdbc.internal;

import dev.election.jdbc.JdbcDatabase;
import dev.election.jdbc.JdbcTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;

/** {@code LISTEN} and {@code NOTIFY} of PostgreSQL. A notification names the key and the latest news under it. */
final class PostgresNotifications implements NewsListener.Listening {

    /** Time without a notification after which the connection is tested, since it may have been cut off silently. */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final Connection connection;
    private final PGConnection driver;
    private final int limitSeconds;

    PostgresNotifications(Connection connection, PGConnection driver, int limitSeconds) {
        this.connection = connection;
        this.driver = driver;
        this.limitSeconds = limitSeconds;
    }

    /** The name of the channel, which needs no quotes within a text. Tables of one name in several schemas share it. */
    static String channel(JdbcTable table) {
        return table.name().toLowerCase(Locale.ROOT);
    }

    /** Text of a notification. */
    static String payload(String key, String news) {
        return news + " " + key;
    }

    /** Whether a commit warns that the queue of notifications fills. The server names the function that warns; the text depends on its language. */
    static boolean isOfQueue(SQLWarning warning) {
        try {
            if (warning instanceof PSQLWarning known) {
                ServerErrorMessage message = known.getServerErrorMessage();
                if (message != null && message.getRoutine() != null) {
                    return message.getRoutine().equals("asyncQueueFillWarning");
                }
            }
        } catch (NoClassDefFoundError otherDriver) {
            // Only the text tells it then.
        }
        return String.valueOf(warning.getMessage()).contains("NOTIFY queue");
    }

    static PostgresNotifications open(JdbcDatabase database, JdbcTable table, Duration limit) throws SQLException {
        Connection connection = database.open(limit);
        try {
            if (!connection.isWrapperFor(PGConnection.class)) {
                throw new SQLFeatureNotSupportedException("a connection is not one of PostgreSQL's own driver");
            }
            int seconds = Session.seconds(limit);
            PGConnection driver = connection.unwrap(PGConnection.class);
            // While a connection waits for news, the driver has the time of that wait instead.
            Session.setUp(connection, limit);
            try (Statement statement = connection.createStatement()) {
                statement.setQueryTimeout(seconds);
                if (isPooled(driver, statement)) {
                    // It would pass the notifications to others, or to nobody.
                    throw new SQLFeatureNotSupportedException("there is a connection pooler between");
                }
                statement.execute("listen \"" + channel(table) + "\"");
            }
            return new PostgresNotifications(connection, driver, seconds);
        } catch (SQLException | RuntimeException | LinkageError unusable) {
            connection.close();
            throw unusable;
        }
    }

    /** Whether a pooler is between this process and the server: it makes up the number of the server's process. */
    private static boolean isPooled(PGConnection driver, Statement statement) throws SQLException {
        try (ResultSet process = statement.executeQuery("select pg_backend_pid()")) {
            process.next();
            return process.getInt(1) != driver.getBackendPID();
        }
    }

    /**
     * Whether a pooler is between this process and the server of a connection, as far as can be told: another driver than that of
     * PostgreSQL does not tell.
     */
    static boolean isPooled(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return connection.isWrapperFor(PGConnection.class)
                    && isPooled(connection.unwrap(PGConnection.class), statement);
        } catch (LinkageError otherDriver) {
            return false;
        }
    }

    @Override
    public void await(NewsListener.Receiver receiver) throws SQLException {
        PGNotification[] heard = driver.getNotifications((int) SILENCE.toMillis());
        if (heard == null || heard.length == 0) {
            if (!connection.isValid(limitSeconds)) {
                throw new SQLException("the connection has been lost silently");
            }
            return;
        }
        for (PGNotification notification : heard) {
            String payload = notification.getParameter();
            int space = payload.indexOf(' ');
            if (space >= 0) {
                receiver.received(payload.substring(space + 1), payload.substring(0, space));
            }
        }
    }

    /** Aborts the connection, which ends a wait, and then closes it, which gives it back to a pool. */
    @Override
    public void close() {
        try {
            connection.abort(Runnable::run);
            connection.close();
        } catch (SQLException broken) {
            // It is given up anyway.
        }
    }
}
