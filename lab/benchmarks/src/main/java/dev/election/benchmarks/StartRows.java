package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The start of five thousand elections in a process. */
record StartRows(int number) implements Scenario {

    private static final int ELECTIONS = 5000;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        try (Lab lab = new Lab(Contestant.CROWD)) {
            NodeProcess node = lab.launch("leader", LEASE);
            node.ask("open " + Library.ELECTION + " 1", "OPENED");
            Traffic before = Traffic.read(lab.redis());
            long begun = node.ask("start " + ELECTIONS, "STARTED").number(0);
            Tally tally = Crowd.tally(node);
            while (tally.led() < ELECTIONS && System.nanoTime() - begun < LONGEST.toNanos()) {
                TimeUnit.MILLISECONDS.sleep(20);
                tally = Crowd.tally(node);
            }
            long took = System.nanoTime() - begun;
            Traffic traffic = Traffic.read(lab.redis()).since(before);
            String what = number + ": start of " + ELECTIONS + " elections in a process, until it leads all: ";
            return List.of(
                    new Row(what + "requests that timed out (`StoreFailed`)", "0", Long.toString(tally.timedOut())),
                    new Row(what + "lines of the level WARN", "0", Long.toString(tally.warnings())),
                    new Row(what + "bytes sent to Redis", "<= 5 MB", Traffic.megabytes(traffic.in())),
                    new Row(what + "time", "-", Samples.millis(took) + "; leads " + tally.led()));
        }
    }
}
