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
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a URL names. A driver takes the first that says it is a primary, which may be an old one that came back. So all are looked at
 * before a lease is granted, and once one was found to be old, the newest of its line is tried first. A URL with one server costs nothing.
 */
final class ServersOfUrl {

    /** A server that is silent for longer counts as looked at. */
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(2);

    private final JdbcTable table;
    private final JdbcDatabase database;
    private final List<JdbcDatabase> servers;
    private final ThreadFactory threads = new DaemonThreads("election-jdbc-look");

    /** The server with the highest position of each line, by the name of the line. Guarded by this. */
    private final Map<String, Place> newest = new HashMap<>();

    /** The database, with the server first that has replaced another one. */
    private volatile JdbcDatabase inOrder;

    ServersOfUrl(JdbcDatabase database, JdbcTable table) {
        this.table = table;
        this.database = database;
        this.servers = database.servers();
        this.inOrder = database;
    }

    private record Place(int server, long position) {}

    /** Returns access to the server that takes writes. */
    JdbcDatabase inOrder() {
        return inOrder;
    }

    /** Asks all servers where they stand, and returns at once. Those that take no writes, or don't answer in time, are left out. */
    CompletableFuture<List<Line>> look() {
        List<CompletableFuture<@Nullable Line>> looks = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            int server = i;
            CompletableFuture<@Nullable Line> look = new CompletableFuture<>();
            threads.newThread(() -> look.complete(line(server))).start();
            looks.add(look.completeOnTimeout(null, LONGEST_LOOK.toMillis(), TimeUnit.MILLISECONDS));
        }
        return CompletableFuture.allOf(looks.toArray(CompletableFuture[]::new)).thenApply(done -> looks.stream()
                .map(CompletableFuture::join)
                .filter(Objects::nonNull)
                .toList());
    }

    /** Notes that a server is old: from now on the newest of its line is tried first, as soon as that is known. */
    void prefer(Continuity old) {
        if (old instanceof OfIncarnation incarnation && incarnation.line() != null && !servers.isEmpty()) {
            Line line = incarnation.line();
            prefer(line);
            CompletionStage<Void> unused = look().thenRun(() -> prefer(line));
        }
    }

    private synchronized void prefer(Line old) {
        Place place = newest.get(old.name());
        if (place != null && place.position > old.position()) {
            inOrder = database.preferring(place.server);
        }
    }

    private synchronized void note(int server, Line line) {
        Place known = newest.get(line.name());
        if (known == null || known.position < line.position()) {
            newest.put(line.name(), new Place(server, line.position()));
        }
    }

    /** Reads the line of a server that takes writes; {@code null} for any other. */
    private @Nullable Line line(int server) {
        try (Connection connection = servers.get(server).open(LONGEST_LOOK)) {
            Session.setUp(connection, LONGEST_LOOK);
            Dialect dialect = Dialect.of(connection.getMetaData());
            Continuity shown = new Session(connection, dialect, table, LONGEST_LOOK, false)
                    .origin()
                    .continuity();
            Line line = shown instanceof OfIncarnation incarnation ? incarnation.line() : null;
            if (line != null) {
                note(server, line);
            }
            return line;
        } catch (SQLException | RuntimeException unusable) {
            return null;
        }
    }
}
