package dev.election.benchmarks;

import dev.election.harness.Children;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Changes of leader of several libraries at the same time, over a PostgreSQL or, beside it, a Redis; and their statements or requests while no
 * leader changes.
 */
final class DatabaseScenario implements Scenario {

    private static final List<Duration> LEASES = List.of(Duration.ofSeconds(5), Duration.ofSeconds(15));

    /** The longer lease, and two of them. */
    private static final Duration SETTLES = Duration.ofSeconds(15);

    private static final Duration COUNTED = Duration.ofSeconds(30);

    @Override
    public List<Row> run() throws Exception {
        try (Children children = new Children()) {
            DatabaseServers servers = new DatabaseServers(children, LEASES);
            List<Row> rows = new ArrayList<>(changes(servers, children));
            for (Duration lease : LEASES) {
                rows.addAll(statements(servers, lease, children));
            }
            return rows;
        }
    }

    private static List<Row> changes(DatabaseServers servers, Children children) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<List<Row>>> running = new ArrayList<>();
            for (DatabaseLibrary library : DatabaseLibrary.values()) {
                for (Duration lease : LEASES) {
                    if (library != DatabaseLibrary.QUARTZ_IDLE) {
                        DatabaseGroup group = new DatabaseGroup(library, servers.port(library, lease), lease, children);
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
    private static List<Row> statements(DatabaseServers servers, Duration lease, Children children)
            throws IOException, InterruptedException {
        Map<DatabaseLibrary, DatabaseGroup> groups = new LinkedHashMap<>();
        for (DatabaseLibrary library : DatabaseLibrary.values()) {
            groups.put(library, new DatabaseGroup(library, servers.port(library, lease), lease, children));
        }
        List<Row> rows = new ArrayList<>();
        for (int nodes : List.of(1, 10)) {
            for (DatabaseGroup group : groups.values()) {
                group.fill(nodes);
            }
            TimeUnit.NANOSECONDS.sleep(SETTLES.toNanos());
            Map<DatabaseLibrary, Integer> before = new EnumMap<>(DatabaseLibrary.class);
            groups.forEach((library, group) -> before.put(library, group.leaderships()));
            servers.beginToCount(lease);
            long begun = System.nanoTime();
            TimeUnit.NANOSECONDS.sleep(COUNTED.toNanos());
            double seconds = (System.nanoTime() - begun) / 1e9;
            Map<DatabaseLibrary, Long> counts = servers.endCount(lease);
            groups.forEach((library, group) -> {
                int changes = group.leaderships() - before.getOrDefault(library, 0);
                rows.add(new Row(
                        library.title() + ", lease " + lease.toSeconds() + " s: "
                                + (library == DatabaseLibrary.REDIS ? "requests" : "statements") + " a second with "
                                + nodes + (nodes == 1 ? " node" : " nodes"),
                        "-",
                        String.format(Locale.ROOT, "%.2f", counts.getOrDefault(library, 0L) / seconds)
                                + (changes == 0 ? "" : " with " + changes + " changes of leader")));
            });
        }
        groups.values().forEach(DatabaseGroup::kill);
        return rows;
    }
}
