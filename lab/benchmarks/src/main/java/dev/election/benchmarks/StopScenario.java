package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Whether a leader that was stopped past its lease still believes in it when it wakes. */
final class StopScenario implements Scenario {

    private static final int ROUNDS = 5;
    private static final Duration LEASE = Duration.ofSeconds(5);

    private final Samples belief = new Samples();
    private long overlap;

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        try (Lab lab = new Lab()) {
            Cluster cluster = new Cluster(lab, 3, LEASE, Observation.POLL);
            for (int round = 0; round < ROUNDS; round++) {
                TimeUnit.MILLISECONDS.sleep(1200 + 300 * round);
                belief.add(round(lab, cluster));
            }
            List<Report> all = lab.journal().since(0, report -> true);
            overlap = Belief.overlap(Belief.read(all, System.nanoTime()));
        }
        return List.of(
                new Row("belief of a leader after `SIGSTOP` past its lease and `SIGCONT`", "0 ms", belief.toString()),
                new Row(
                        "overlap of belief with its successor",
                        "0 ms",
                        Samples.millis(overlap) + " in " + ROUNDS + " rounds"));
    }

    private long round(Lab lab, Cluster cluster) throws IOException, InterruptedException {
        NodeProcess leader = cluster.leader();
        int begin = lab.journal().end();
        leader.signal("STOP");
        cluster.awaitOther(begin, leader, "LEADS");
        TimeUnit.MILLISECONDS.sleep(300);
        long woken = System.nanoTime();
        leader.signal("CONT");
        Report ends = lab.journal()
                .await(
                        begin,
                        Duration.ofSeconds(10),
                        "the end of belief",
                        report -> report.node().equals(leader.id()) && report.is("ENDS"));
        // A question that was asked before the stop may be answered after it; what counts is what was asked afterwards.
        long lastAsked = ends.number(0);
        return Math.max(0, lastAsked - woken);
    }
}
