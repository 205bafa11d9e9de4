package dev.election.benchmarks;

import dev.election.harness.Children;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Nodes of one library, each a process, over a server of their own. */
final class StoreGroup implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SIZE = 10;

    private final StoreLibrary library;
    private final Duration lease;
    private final Children children;
    private final StoreServer server;
    private final Journal journal = new Journal();
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private int elections = 1;
    private int launched;

    StoreGroup(StoreLibrary library, Duration lease, Children children) {
        this.library = library;
        this.lease = lease;
        this.children = children;
        this.server = library.server();
    }

    StoreLibrary library() {
        return library;
    }

    /** Ends all nodes, and starts as many with another number of elections. */
    void restart(int number) throws InterruptedException {
        nodes.values().forEach(NodeProcess::kill);
        nodes.clear();
        elections = number;
        fill();
    }

    /** Starts as many nodes as are missing, one after the other. */
    void fill() throws InterruptedException {
        while (nodes.size() < SIZE) {
            String id = library.name() + "-" + launched++;
            NodeProcess node = new NodeProcess(
                    Contestant.STORE,
                    System.getProperty("java.class.path"),
                    id,
                    server.port(),
                    lease,
                    children,
                    journal);
            node.send(elections + " " + server.access());
            Report unused = node.ask("start", "STARTED");
            nodes.put(id, node);
        }
    }

    /** How often a node began to lead. */
    int leaderships() {
        return journal.since(0, report -> report.is("LEADS")).size();
    }

    /** Requests until now, by what they are for. */
    Map<String, Long> requests() {
        return server.requests();
    }

    /** Kills the leader at a random moment, and returns how long after that, or after the end of its lease, another one leads. */
    long crash(Random random) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt((int) lease.toMillis() / 3));
        NodeProcess leader = leader();
        int begin = journal.end();
        long killed = System.nanoTime();
        leader.kill();
        long from = server.endOfLease().orElse(killed);
        return next(leader, begin) - from;
    }

    /** Stops the leader, and returns how long after that another one leads. */
    long handOver() throws InterruptedException {
        NodeProcess leader = leader();
        int begin = journal.end();
        long begun = System.nanoTime();
        leader.send("stop");
        return next(leader, begin) - begun;
    }

    private long next(NodeProcess leader, int begin) throws InterruptedException {
        long next = journal.await(
                        begin,
                        PATIENCE,
                        "another leader than " + leader.id(),
                        report -> report.is("LEADS") && !report.node().equals(leader.id()))
                .number(0);
        leader.kill();
        nodes.remove(leader.id());
        return next;
    }

    private NodeProcess leader() throws InterruptedException {
        Report unused = journal.await(0, PATIENCE, "a leader of " + library, report -> report.is("LEADS"));
        List<Report> all = journal.since(0, report -> report.is("LEADS"));
        NodeProcess leader = nodes.get(all.get(all.size() - 1).node());
        if (leader == null) {
            throw new IllegalStateException("The leader is gone");
        }
        return leader;
    }

    /** Heap in use after a collection and threads of a node, medians. */
    String resources() throws InterruptedException {
        long[] heaps = new long[nodes.size()];
        long[] threads = new long[nodes.size()];
        int index = 0;
        for (NodeProcess node : nodes.values()) {
            Gauge gauge = Gauge.of(node.ask("collect", "GAUGE"));
            heaps[index] = gauge.heapBytes();
            threads[index++] = gauge.threads().size();
        }
        Arrays.sort(heaps);
        Arrays.sort(threads);
        return String.format(
                Locale.ROOT, "%.1f MB, %d threads", heaps[index / 2] / (1024.0 * 1024), threads[index / 2]);
    }

    @Override
    public void close() {
        server.close();
    }
}
