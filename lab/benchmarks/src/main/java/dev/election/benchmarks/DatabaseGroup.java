package dev.election.benchmarks;

import dev.election.harness.Children;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Nodes of one library over one server, each a process. */
final class DatabaseGroup {

    private static final int NODES = 3;
    private static final int ROUNDS = 3;

    /** Quartz waits for 7.5 s more than its interval. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final DatabaseLibrary library;
    private final int port;
    private final Duration lease;
    private final Children children;
    private final Journal journal = new Journal();
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private int launched;

    DatabaseGroup(DatabaseLibrary library, int port, Duration lease, Children children) {
        this.library = library;
        this.port = port;
        this.lease = lease;
        this.children = children;
    }

    /** Starts as many as are missing, one after the other. */
    void fill(int size) throws InterruptedException {
        while (nodes.size() < size) {
            String id = library.name() + "-" + ProcessHandle.current().pid() + "-" + launched++;
            NodeProcess node = new NodeProcess(
                    Contestant.DATABASE, System.getProperty("java.class.path"), id, port, lease, children, journal);
            Report unused = node.ask("start", "STARTED");
            nodes.put(id, node);
        }
    }

    /** How often a node began to lead; 0 for those that tell each run. */
    int leaderships() {
        return library.tellsRuns()
                ? 0
                : journal.since(0, report -> report.is("LEADS")).size();
    }

    void kill() {
        nodes.values().forEach(NodeProcess::kill);
        nodes.clear();
    }

    /** Kills and stops the leader in turn, at random moments. */
    List<Row> changes() throws InterruptedException {
        Random random = new Random(lease.toMillis());
        Samples crashes = new Samples();
        Samples stops = new Samples();
        fill(NODES);
        for (int round = 0; round < ROUNDS; round++) {
            crashes.add(change(random, true));
            stops.add(change(random, false));
        }
        kill();
        String what = library.title() + ", lease " + lease.toSeconds() + " s: ";
        return List.of(
                new Row(what + "`kill -9` of the leader -> the next one leads", "-", crashes.toString()),
                new Row(what + "orderly stop of the leader -> the next one leads", "-", stops.toString()));
    }

    private long change(Random random, boolean isCrash) throws InterruptedException {
        // Longer than between two renewals.
        TimeUnit.MILLISECONDS.sleep(lease.toMillis() / 2 + random.nextInt((int) lease.toMillis() / 2));
        NodeProcess leader = leader();
        int begin = journal.end();
        long begun = System.nanoTime();
        nodes.remove(leader.id());
        if (isCrash) {
            leader.kill();
        } else {
            leader.send("stop");
        }
        long next = journal.await(
                        begin,
                        PATIENCE,
                        "another leader than " + leader.id(),
                        report -> report.is("LEADS") && !report.node().equals(leader.id()))
                .number(0);
        leader.kill();
        fill(NODES);
        return next - begun;
    }

    /** The node that reported leadership last; with a library that reports each run, the node that reports next. */
    private NodeProcess leader() throws InterruptedException {
        int from = library.tellsRuns() ? journal.end() : 0;
        Report unused = journal.await(from, PATIENCE, "a leader of " + library, report -> report.is("LEADS"));
        List<Report> all = journal.since(from, report -> report.is("LEADS"));
        NodeProcess leader = nodes.get(all.get(all.size() - 1).node());
        if (leader == null) {
            throw new IllegalStateException("The leader is gone");
        }
        return leader;
    }
}
