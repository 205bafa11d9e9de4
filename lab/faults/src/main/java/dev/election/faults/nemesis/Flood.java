package dev.election.faults.nemesis;

import dev.election.faults.node.Node;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A user of a PostgreSQL who sends notifications of news of the election, which there are none of, until this is closed. */
final class Flood {

    private static final long INTERVAL_MILLIS = 333;

    private final Connection connection;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    /** Begins, by that connection. */
    Flood(Connection connection) {
        this.connection = connection;
        var unused = thread.scheduleAtFixedRate(this::send, 0, INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** All in one transaction, and none like another: of those PostgreSQL sends one. */
    private void send() {
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "select pg_notify('election', random() || ' " + Node.ELECTION + "') from generate_series(1, 5000)");
        } catch (SQLException lost) {
            throw new IllegalStateException("The flood has ended early", lost);
        }
    }

    void close() throws SQLException {
        thread.shutdownNow();
        connection.close();
    }
}
