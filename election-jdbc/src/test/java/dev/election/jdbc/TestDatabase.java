package dev.election.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database server of a test, and what it does to its tables. */
interface TestDatabase extends AutoCloseable {

    String url();

    String user();

    /** A standby, or a backup, gets nothing of what is written from here on. */
    void detachStandby() throws Exception;

    /** It takes the place of the server, at the same address. */
    void promoteStandby() throws Exception;

    default JdbcDatabase access() {
        return JdbcDatabase.at(url(), user(), "");
    }

    default Connection connect() throws SQLException {
        return JdbcDatabase.at(url(), user(), "").open(Duration.ofSeconds(10));
    }

    default void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String one : statements) {
                statement.execute(one);
            }
        } catch (SQLException failure) {
            throw new AssertionError(String.join("; ", statements), failure);
        }
    }

    /** The columns of all rows, as texts. */
    default List<List<@Nullable String>> query(String sql, String... parameters) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            List<List<@Nullable String>> all = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    List<@Nullable String> row = new ArrayList<>();
                    for (int column = 1; column <= rows.getMetaData().getColumnCount(); column++) {
                        row.add(rows.getString(column));
                    }
                    all.add(row);
                }
            }
            return all;
        } catch (SQLException failure) {
            throw new AssertionError(sql, failure);
        }
    }

    default int update(String sql, String... parameters) {
        try (Connection connection = connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            return statement.executeUpdate();
        } catch (SQLException failure) {
            throw new AssertionError(sql, failure);
        }
    }

    /** What a backup of the table has. */
    default List<List<@Nullable String>> backup() {
        return query("select name, content, version, news from election");
    }

    default void restore(List<List<@Nullable String>> backup) {
        execute("delete from election");
        for (List<@Nullable String> row : backup) {
            update(
                    "insert into election (name, content, version, news) values (?, ?, cast(? as decimal), ?)",
                    row.toArray(String[]::new));
        }
    }

    @Override
    void close() throws Exception;
}
