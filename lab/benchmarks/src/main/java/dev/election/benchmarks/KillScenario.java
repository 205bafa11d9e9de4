package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** From the end of the lease of a leader that was killed until another node leads. */
final class KillScenario implements Scenario {

    private static final int ROUNDS = 20;
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** Time after which the node that joined last has started, and no longer loads the processors that all of them share. */
    private static final int SETTLED_MILLIS = 6000;

    private static final String LEASE_KEY = "bench:{default}:lease";

    private final Samples late = new Samples();
    private long worstError;

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        try (Lab lab = new Lab()) {
            Cluster cluster = new Cluster(lab, 3, LEASE, Observation.WATCH);
            Random random = new Random(2);
            for (int round = 0; round < ROUNDS; round++) {
                TimeUnit.MILLISECONDS.sleep(SETTLED_MILLIS + random.nextInt(1000));
                NodeProcess leader = cluster.leader();
                int begin = lab.journal().end();
                cluster.kill(leader);
                long end = endOfLease(lab.redis());
                late.add(cluster.awaitOther(begin, leader, "LEADS").number(2) - end);
                cluster.add();
            }
        }
        return List.of(new Row(
                "`kill -9` of the leader -> next leader, time past the end of the lease (" + LEASE.toSeconds() + " s)",
                "median <= 20 ms: the first change in each process",
                late + "; clock conversion +-" + Samples.millis(worstError)));
    }

    /** The store's own word, once nobody can renew any more. */
    private long endOfLease(ObservedRedis redis) {
        return redis.observe(commands -> {
            StoreClock clock = StoreClock.read(commands);
            worstError = Math.max(worstError, clock.error());
            long expiry = commands.pexpiretime(LEASE_KEY);
            if (expiry < 0) {
                throw new IllegalStateException("The lease ended before it could be looked at");
            }
            return clock.monotonic(expiry);
        });
    }
}
