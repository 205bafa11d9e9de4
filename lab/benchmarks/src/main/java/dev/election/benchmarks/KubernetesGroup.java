package dev.election.benchmarks;

import dev.election.harness.ApiServer;
import dev.election.harness.Children;
import dev.election.harness.KubernetesServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Nodes of one library, each a process, over an API server of their own. */
final class KubernetesGroup implements AutoCloseable {

    static final Duration LEASE = Duration.ofSeconds(15);

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/" + ApiServer.NAMESPACE + "/leases";
    private static final Pattern REQUESTS = Pattern.compile(
            "^apiserver_request_total\\{code=\"(\\d+)\".*resource=\"leases\".*verb=\"(\\w+)\".*} (\\S+)$",
            Pattern.MULTILINE);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SIZE = 10;

    private final KubernetesLibrary library;
    private final Children children;
    private final KubernetesServer server = new KubernetesServer();
    private final Journal journal = new Journal();
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private int elections = 1;
    private int launched;

    KubernetesGroup(KubernetesLibrary library, Children children) {
        this.library = library;
        this.children = children;
    }

    KubernetesLibrary library() {
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
                    Contestant.KUBERNETES,
                    System.getProperty("java.class.path"),
                    id,
                    server.address().getPort(),
                    LEASE,
                    children,
                    journal);
            node.send(server.certificate() + " " + elections);
            Report unused = node.ask("start", "STARTED");
            nodes.put(id, node);
        }
    }

    /** How often a node began to lead. */
    int leaderships() {
        return journal.since(0, report -> report.is("LEADS")).size();
    }

    /** Requests for Leases until now, by verb and status. */
    Map<String, Long> requests() {
        Map<String, Long> counts = new TreeMap<>();
        Matcher matcher = REQUESTS.matcher(server.get("/metrics"));
        while (matcher.find()) {
            counts.merge(
                    matcher.group(2) + " " + matcher.group(1), (long) Double.parseDouble(matcher.group(3)), Long::sum);
        }
        return counts;
    }

    /** Kills the leader at a random moment, and returns how long after the end of its lease another one leads. */
    long crash(Random random) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(random.nextInt((int) LEASE.toMillis() / 3));
        NodeProcess leader = leader();
        int begin = journal.end();
        leader.kill();
        long end = endOfLease();
        return next(leader, begin) - end;
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

    /** End of the only Lease by what is written in it, on the monotonic clock. */
    private long endOfLease() {
        JsonNode items = JsonMapper.shared().readTree(server.get(LEASES)).path("items");
        if (items.size() != 1) {
            throw new IllegalStateException("Not one Lease, but " + items);
        }
        JsonNode spec = items.path(0).path("spec");
        Instant end = Instant.parse(spec.path("renewTime").asString())
                .plusSeconds(spec.path("leaseDurationSeconds").asLong());
        return System.nanoTime() + Duration.between(Instant.now(), end).toNanos();
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
