package dev.election.faults.node;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A row of a table. The comparison is part of the update, so nothing comes between them. */
public final class FencedRow implements FencedResource {

    private static final String TABLE = "fenced";

    private final Connection connection;
    private final PreparedStatement update;

    FencedRow(String url, String key) throws SQLException {
        connection = DriverManager.getConnection(url);
        try (PreparedStatement row = connection.prepareStatement("MERGE INTO " + TABLE
                + " USING (VALUES (?)) AS asked(name) ON fenced.name = asked.name"
                + " WHEN NOT MATCHED THEN INSERT VALUES (asked.name, 0, 0)")) {
            row.setString(1, key);
            row.executeUpdate();
        }
        update = connection.prepareStatement("SELECT sequence FROM FINAL TABLE" + " (UPDATE " + TABLE
                + " SET token = ?, sequence = sequence + 1 WHERE name = ? AND token <= ?)");
        update.setString(2, key);
    }

    /** Makes the table in which each group has a row. */
    public static void createTable(Connection database) throws SQLException {
        try (Statement statement = database.createStatement()) {
            statement.execute("CREATE TABLE " + TABLE + " (name VARCHAR PRIMARY KEY, token BIGINT, sequence BIGINT)");
        }
    }

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public long write(long token) throws SQLException {
        update.setLong(1, token);
        update.setLong(3, token);
        try (ResultSet accepted = update.executeQuery()) {
            return accepted.next() ? accepted.getLong(1) : 0;
        }
    }

    @Override
    public void close() throws IOException, SQLException {
        connection.close();
    }
}
