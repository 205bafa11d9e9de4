package dev.election.jdbc.internal;

import dev.election.jdbc.JdbcTable;
import dev.election.jdbc.TableCreation;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The script that creates the table, one for each database. */
final class TableScript {

    private TableScript() {}

    /** Creates the table if that is wanted and it is missing. Needs no permission if it is there. */
    static void run(Connection connection, Dialect dialect, JdbcTable table, TableCreation creation, Duration limit)
            throws SQLException {
        boolean isWanted = creation == TableCreation.ALWAYS
                || (creation == TableCreation.EMBEDDED
                        && connection.getMetaData().getURL().contains(":h2:mem:"));
        if (!isWanted) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(Session.seconds(limit));
            SQLException missing = missing(statement, table);
            if (missing != null) {
                create(statement, dialect, table, missing);
            }
        }
    }

    private static @Nullable SQLException missing(Statement statement, JdbcTable table) throws SQLException {
        try {
            statement
                    .executeQuery("select 1 from " + table.qualified() + " where 1 = 0")
                    .close();
            return null;
        } catch (SQLException failure) {
            if (SqlProblem.isTableMissing(failure)) {
                return failure;
            }
            throw failure;
        }
    }

    private static void create(Statement statement, Dialect dialect, JdbcTable table, SQLException missing)
            throws SQLException {
        try {
            create(statement, dialect, table);
        } catch (SQLException failure) {
            if (SqlProblem.isRefused(failure)) {
                throw new SQLException(failure.getMessage(), missing.getSQLState(), missing.getErrorCode(), failure);
            }
            // In PostgreSQL one of several nodes that create it at the same time fails, though the statement says "if
            // not exists".
            create(statement, dialect, table);
        }
    }

    private static void create(Statement statement, Dialect dialect, JdbcTable table) throws SQLException {
        String script = text(dialect).replace("if not exists election", "if not exists " + table.qualified());
        for (String command : script.split(";", -1)) {
            if (!command.isBlank()) {
                statement.execute(command);
            }
        }
    }

    private static String text(Dialect dialect) {
        String path = "META-INF/election/jdbc/schema-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
        try (InputStream script = TableScript.class.getClassLoader().getResourceAsStream(path)) {
            return new String(Objects.requireNonNull(script, path).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
