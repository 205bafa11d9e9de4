package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Nodes of one election, and who of them leads. */
final class Cluster {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final Lab lab;
    private final Observation observation;
    private final Duration lease;
    private final Map<String, NodeProcess> nodes = new LinkedHashMap<>();
    private int launched;

    /** The nodes are there, and one of them leads. */
    Cluster(Lab lab, int size, Duration lease, Observation observation) throws IOException, InterruptedException {
        this.lab = lab;
        this.observation = observation;
        this.lease = lease;
        for (int number = 0; number < size; number++) {
            add();
        }
    }

    /** One more node, which takes part when this returns. */
    NodeProcess add() throws IOException, InterruptedException {
        NodeProcess node = lab.join("n" + launched++, lease, observation);
        nodes.put(node.id(), node);
        return node;
    }

    void kill(NodeProcess node) throws InterruptedException {
        nodes.remove(node.id());
        node.kill();
    }

    Iterable<NodeProcess> nodes() {
        return nodes.values();
    }

    /** The node that was the last to say that it leads. */
    NodeProcess leader() throws InterruptedException {
        lab.journal().await(0, PATIENCE, "a leader", this::saysThatItLeads);
        var all = lab.journal().since(0, this::saysThatItLeads);
        NodeProcess leader = nodes.get(all.get(all.size() - 1).node());
        if (leader == null) {
            throw new IllegalStateException("The leader is gone");
        }
        return leader;
    }

    /** The first report of that kind, from that index of the journal on, by another node than this. */
    Report awaitOther(int begin, NodeProcess than, String kind) throws InterruptedException {
        Predicate<Report> wanted = report -> report.is(kind) && !report.node().equals(than.id());
        return lab.journal().await(begin, PATIENCE, kind + " of another than " + than.id(), wanted);
    }

    /** The first report that a node leads, from that index of the journal on: perhaps the same as before. */
    void awaitLeader(int begin) throws InterruptedException {
        lab.journal().await(begin, PATIENCE, "a leader", this::saysThatItLeads);
    }

    private boolean saysThatItLeads(Report report) {
        return report.is("LEADS");
    }
}
