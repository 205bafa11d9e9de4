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
import java.util.Locale;
import java.util.Objects;

/** The script that creates the table, one for each database. */
final class TableScript {

    private TableScript() {}

    static void run(Connection connection, Dialect dialect, JdbcTable table, TableCreation creation)
            throws SQLException {
        boolean isWanted = creation == TableCreation.ALWAYS
                || (creation == TableCreation.EMBEDDED
                        && connection.getMetaData().getURL().contains(":h2:mem:"));
        if (!isWanted) {
            return;
        }
        try {
            run(connection, dialect, table);
        } catch (SQLException failure) {
            // In PostgreSQL one of several nodes that create it at the same time fails, though the statement says "if
            // not exists".
            run(connection, dialect, table);
        }
    }

    private static void run(Connection connection, Dialect dialect, JdbcTable table) throws SQLException {
        String script = text(dialect).replace("if not exists election", "if not exists " + table.qualified());
        try (Statement statement = connection.createStatement()) {
            for (String command : script.split(";", -1)) {
                if (!command.isBlank()) {
                    statement.execute(command);
                }
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
