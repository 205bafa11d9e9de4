package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How long the first node of an election takes until it leads, where the store has never seen a leader and where it has. */
final class FirstScenario implements Scenario {

    private static final int ROUNDS = 10;
    private static final Duration LEASE = Duration.ofSeconds(5);

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (boolean known : new boolean[] {false, true}) {
            Samples connected = new Samples();
            Samples cold = new Samples();
            for (int round = 0; round < ROUNDS; round++) {
                connected.add(connected(known));
                cold.add(cold(known));
            }
            String where = known ? "first leader after one that stopped" : "first leader ever, on an empty Redis";
            String target = known ? "<= 20 ms" : "<= 150 ms";
            rows.add(new Row(where + ": from `start()`, store connected", target, connected.toString()));
            rows.add(new Row(where + ": from opening the store in a cold JVM", target, cold.toString()));
        }
        return rows;
    }

    private static long connected(boolean known) throws IOException, InterruptedException {
        try (Lab lab = new Lab()) {
            before(lab, known);
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

    private static long cold(boolean known) throws IOException, InterruptedException {
        try (Lab lab = new Lab()) {
            before(lab, known);
            NodeProcess node = lab.launch("first", LEASE);
            int begin = lab.journal().end();
            long leads = node.ask("first", "FIRST").number(0);
            long opened = lab.journal()
                    .await(begin, Duration.ofSeconds(1), "the opening", report -> report.is("OPENED"))
                    .number(0);
            return leads - opened;
        }
    }

    private static void before(Lab lab, boolean known) throws IOException, InterruptedException {
        if (known) {
            NodeProcess node = lab.join("before", LEASE, Observation.WATCH);
            node.ask("leadAll", "LEADING");
            node.ask("stop", "STOPPED");
            node.kill();
        }
    }
}
