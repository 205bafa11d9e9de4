package dev.election.benchmarks;

import dev.election.harness.Children;
import dev.election.harness.PostgresServer;
import dev.election.harness.TemporaryFolders;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Changes of leader over a PostgreSQL, and its statements while nothing happens, of several libraries at the same time. */
final class DatabaseScenario implements Scenario {

    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration LONG = Duration.ofSeconds(15);

    @Override
    public List<Row> run() throws Exception {
        try (Children children = new Children()) {
            PostgresServer server = new PostgresServer(
                    children, TemporaryFolders.create("election-benchmarks-"), StatementCount.OPTIONS);
            List<Row> rows = new ArrayList<>(changes(server, children));
            rows.addAll(statements(server, children));
            return rows;
        }
    }

    private static List<Row> changes(PostgresServer server, Children children) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<List<Row>>> running = new ArrayList<>();
            for (DatabaseLibrary library : DatabaseLibrary.values()) {
                for (Duration lease : List.of(SHORT, LONG)) {
                    if (library != DatabaseLibrary.QUARTZ_IDLE) {
                        library.create(server, lease);
                        DatabaseGroup group = new DatabaseGroup(library, server, lease, children);
                        running.add(threads.submit(group::changes));
                    }
                }
            }
            List<Row> rows = new ArrayList<>();
            for (Future<List<Row>> one : running) {
                rows.addAll(one.get());
            }
            return rows;
        } finally {
            threads.shutdownNow();
        }
    }

    /** All libraries at once with one node each, then with ten. */
    private static List<Row> statements(PostgresServer server, Children children)
            throws IOException, InterruptedException, SQLException {
        DatabaseLibrary.QUARTZ_IDLE.create(server, LONG);
        Map<DatabaseLibrary, DatabaseGroup> groups = new LinkedHashMap<>();
        for (DatabaseLibrary library : DatabaseLibrary.values()) {
            groups.put(library, new DatabaseGroup(library, server, LONG, children));
        }
        List<Row> rows = new ArrayList<>();
        for (int nodes : List.of(1, 10)) {
            for (DatabaseGroup group : groups.values()) {
                group.fill(nodes);
            }
            TimeUnit.NANOSECONDS.sleep(LONG.toNanos());
            Duration time = LONG.multipliedBy(2);
            StatementCount count = new StatementCount(server);
            count.begin();
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
            for (DatabaseLibrary library : groups.keySet()) {
                rows.add(new Row(
                        library.title() + ", lease " + LONG.toSeconds() + " s: statements a second with " + nodes
                                + (nodes == 1 ? " node" : " nodes"),
                        "-",
                        String.format(
                                Locale.ROOT, "%.2f", count.in(library.database(LONG)) / (double) time.toSeconds())));
            }
        }
        groups.values().forEach(DatabaseGroup::kill);
        return rows;
    }
}
