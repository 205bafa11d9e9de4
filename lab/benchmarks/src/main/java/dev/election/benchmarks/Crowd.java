package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Nodes of one library in a lab: one that leads all elections, in a process of its own, and followers of all of them, some to a
 * process.
 */
final class Crowd {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Lab lab;
    private final Library library;
    private final Duration lease;
    private final int elections;
    private final List<NodeProcess> followers = new ArrayList<>();
    private final NodeProcess leader;

    /** The leader leads all elections; there is no follower yet. */
    Crowd(Lab lab, Library library, Duration lease, int elections) throws IOException, InterruptedException {
        this.lab = lab;
        this.library = library;
        this.lease = lease;
        this.elections = elections;
        this.leader = open("leader", 1);
        leader.ask("start " + elections, "STARTED");
        awaitLed(elections);
    }

    NodeProcess leader() {
        return leader;
    }

    /** Makes followers that do nothing yet. */
    void openFollowers(int count, int aProcess) throws IOException, InterruptedException {
        for (int left = count; left > 0; left -= aProcess) {
            followers.add(open("f" + followers.size(), Math.min(left, aProcess)));
        }
    }

    /** Lets them take part, and waits until they know their leaders. Returns how many do. */
    int startFollowers(Duration patience) throws IOException, InterruptedException {
        for (NodeProcess process : followers) {
            process.send("start " + elections);
        }
        int settled = 0;
        long deadline = System.nanoTime() + patience.toNanos();
        for (NodeProcess process : followers) {
            long left = Math.max(0, deadline - System.nanoTime()) / 1_000_000;
            Report report = process.ask("settle " + left, "SETTLED", patience.plus(PATIENCE));
            settled += Math.toIntExact(report.number(0));
        }
        return settled;
    }

    /** The node that leads {@code e0} hands it to another. */
    void abdicate() throws IOException, InterruptedException {
        for (NodeProcess process : processes()) {
            if (tally(process).led() > 0) {
                process.ask("abdicate", "ABDICATED");
                return;
            }
        }
        throw new IllegalStateException("Nobody leads");
    }

    /** Sum of the tallies of all nodes, while all live. */
    Tally tally() throws IOException, InterruptedException {
        List<Tally> tallies = new ArrayList<>();
        for (NodeProcess process : processes()) {
            tallies.add(tally(process));
        }
        return Tally.sum(tallies);
    }

    static Tally tally(NodeProcess process) throws IOException, InterruptedException {
        return Tally.of(process.ask("tally", "TALLY"));
    }

    private List<NodeProcess> processes() {
        List<NodeProcess> all = new ArrayList<>(followers);
        all.add(0, leader);
        return all;
    }

    private NodeProcess open(String id, int nodes) throws IOException, InterruptedException {
        NodeProcess process = lab.launch(id, lease);
        process.ask("open " + library + " " + nodes, "OPENED", PATIENCE);
        return process;
    }

    private void awaitLed(int wanted) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (tally(leader).led() < wanted) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("Not all of " + wanted + " elections are led within " + PATIENCE);
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
