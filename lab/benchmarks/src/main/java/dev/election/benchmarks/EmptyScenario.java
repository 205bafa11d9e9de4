package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Whether two nodes ever lead at once when Redis is killed and comes back empty, and how long nobody does. */
final class EmptyScenario implements Scenario {

    private static final int ROUNDS = 5;
    private static final Duration LEASE = Duration.ofSeconds(5);

    private final Samples overlap = new Samples();
    private final Samples nobody = new Samples();

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        int changes = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (Lab lab = new Lab()) {
                Cluster cluster = new Cluster(lab, 3, LEASE, Observation.POLL);
                NodeProcess leader = cluster.leader();
                TimeUnit.MILLISECONDS.sleep(2000 + 400 * round);
                long killed = System.nanoTime();
                lab.redis().kill();
                TimeUnit.SECONDS.sleep(1);
                lab.redis().restart();
                TimeUnit.MILLISECONDS.sleep(3 * LEASE.toMillis());
                long end = System.nanoTime();
                List<Belief> beliefs = Belief.read(lab.journal().since(0, report -> true), end);
                overlap.add(Belief.overlap(beliefs));
                nobody.add(Belief.nobody(beliefs, killed, end));
                changes += cluster.leader().equals(leader) ? 0 : 1;
            }
        }
        String what = "Redis killed and back empty after 1 s, lease " + LEASE.toSeconds() + " s, 3 nodes: ";
        return List.of(
                new Row(what + "two led", "0 ms", overlap.toString()),
                new Row(
                        what + "nobody led",
                        "-",
                        nobody + "; another leader in " + changes + " of " + ROUNDS + " rounds"));
    }
}
