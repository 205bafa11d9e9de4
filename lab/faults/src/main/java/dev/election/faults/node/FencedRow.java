package dev.election.faults.node;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Statement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A row of a table. The comparison is part of the update, so nothing comes between them. */
public final class FencedRow implements FencedResource {

    private static final Logger log = LoggerFactory.getLogger(FencedRow.class);

    private static final String TABLE = "fenced";

    private final Connection connection;
    private final PreparedStatement update;

    FencedRow(String url, String key) throws SQLException {
        connection = DriverManager.getConnection(url);
        insert(key);
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

    /** One row for all nodes, whoever is first. To look for it before would leave a moment in between. */
    private void insert(String key) throws SQLException {
        try (PreparedStatement row = connection.prepareStatement("INSERT INTO " + TABLE + " VALUES (?, 0, 0)")) {
            row.setString(1, key);
            row.executeUpdate();
        } catch (SQLIntegrityConstraintViolationException anotherWasFirst) {
            log.debug("The row {} is there", key, anotherWasFirst);
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
