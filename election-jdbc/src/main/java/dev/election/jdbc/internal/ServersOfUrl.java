package dev.election.jdbc.internal;

import dev.election.jdbc.JdbcDatabase;
import dev.election.jdbc.JdbcTable;
import dev.election.record.Continuity;
import dev.election.record.Continuity.Line;
import dev.election.record.Continuity.OfIncarnation;
import dev.election.support.DaemonThreads;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a URL names. A driver takes the first that says it is a primary, which may be an old one that came back: so all are looked
 * at beside each new connection, and the one with the highest position is tried first from then on. A URL with one server costs nothing.
 */
final class ServersOfUrl {

    /** A server that is silent for longer counts as looked at. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);

    private static final CompletableFuture<Map<String, Long>> NONE = CompletableFuture.completedFuture(Map.of());

    private final JdbcTable table;
    private final List<JdbcDatabase> servers;
    private final ThreadFactory threads = new DaemonThreads("election-jdbc-look");
    private final JdbcDatabase database;

    /** The database, with the server first that was found to have the highest position. */
    private volatile JdbcDatabase inOrder;

    ServersOfUrl(JdbcDatabase database, JdbcTable table) {
        this.table = table;
        this.servers = database.servers();
        this.database = database;
        this.inOrder = database;
    }

    /** Returns access to the server that takes writes. */
    JdbcDatabase inOrder() {
        return inOrder;
    }

    /** Looks for the highest position of each line at these servers. Returns at once. */
    CompletableFuture<Map<String, Long>> look() {
        if (servers.isEmpty()) {
            return NONE;
        }
        List<CompletableFuture<@Nullable Line>> looks = new ArrayList<>();
        for (JdbcDatabase server : servers) {
            CompletableFuture<@Nullable Line> look = new CompletableFuture<>();
            threads.newThread(() -> look.complete(line(server))).start();
            looks.add(look.completeOnTimeout(null, LONGEST_LOOK.toMillis(), TimeUnit.MILLISECONDS));
        }
        return CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new)).thenApply(done -> highest(looks));
    }

    private Map<String, Long> highest(List<CompletableFuture<@Nullable Line>> looks) {
        Map<String, Long> highest = new HashMap<>();
        for (int i = 0; i < looks.size(); i++) {
            Line line = looks.get(i).join();
            if (line != null && line.position() > highest.getOrDefault(line.name(), Long.MIN_VALUE)) {
                highest.put(line.name(), line.position());
                inOrder = database.preferring(i);
            }
        }
        return highest;
    }

    /** Reads the line of a server that takes writes; {@code null} for any other. */
    private @Nullable Line line(JdbcDatabase server) {
        try (Connection connection = server.open(LONGEST_LOOK)) {
            Session.setUp(connection, LONGEST_LOOK);
            Dialect dialect = Dialect.of(connection.getMetaData());
            Continuity shown = new Session(connection, dialect, table, LONGEST_LOOK, false, NONE)
                    .origin()
                    .continuity();
            return shown instanceof OfIncarnation incarnation ? incarnation.line() : null;
        } catch (SQLException | RuntimeException unusable) {
            return null;
        }
    }
}
