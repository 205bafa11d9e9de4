package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long the first node of an election takes until it leads, where the store has never seen a leader and where it has. */
final class FirstScenario implements Scenario {

    private static final int ROUNDS = 10;
    private static final Duration LEASE = Duration.ofSeconds(5);

    /** The state of Redis as the node finds it. */
    private enum Found {
        NOTHING("first leader ever, on an empty Redis", "<= 1500 ms"),
        FORMER_LEADER("first leader after one that stopped", "<= 20 ms");

        private final String title;
        private final String target;

        Found(String title, String target) {
            this.title = title;
            this.target = target;
        }
    }

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Found found : Found.values()) {
            Samples connected = new Samples();
            Samples cold = new Samples();
            for (int round = 0; round < ROUNDS; round++) {
                connected.add(connected(found));
                cold.add(cold(found));
            }
            rows.add(new Row(found.title + ": from `start()`, store connected", found.target, connected.toString()));
            rows.add(new Row(found.title + ": from opening the store in a cold JVM", found.target, cold.toString()));
        }
        return rows;
    }

    private static long connected(Found found) throws IOException, InterruptedException {
        try (Lab lab = new Lab()) {
            before(lab, found);
            NodeProcess node = lab.launch("first", LEASE);
            node.ask("open", "OPENED");
            node.ask("connect", "CONNECTED");
            node.ask("join default", "JOINED");
            node.ask(Observation.WATCH.command("default"), "OBSERVED");
            int begin = lab.journal().end();
            long begun = node.ask("start", "STARTED").number(0);
            Report leads = lab.journal().await(begin, Duration.ofSeconds(30), "a leader", report -> report.is("LEADS"));
            return leads.number(2) - begun;
        }
    }

    private static long cold(Found found) throws IOException, InterruptedException {
        try (Lab lab = new Lab()) {
            before(lab, found);
            NodeProcess node = lab.launch("first", LEASE);
            int begin = lab.journal().end();
            long leads = node.ask("first", "FIRST").number(0);
            long opened = lab.journal()
                    .await(begin, Duration.ofSeconds(1), "the opening", report -> report.is("OPENED"))
                    .number(0);
            return leads - opened;
        }
    }

    private static void before(Lab lab, Found found) throws IOException, InterruptedException {
        if (found == Found.FORMER_LEADER) {
            NodeProcess node = lab.join("before", LEASE, Observation.WATCH);
            node.ask("leadAll", "LEADING");
            node.ask("stop", "STOPPED");
            node.kill();
        }
    }
}
