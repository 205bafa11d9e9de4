package dev.election.benchmarks;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** Runs {@link GuardBenchmark}. */
final class GuardScenario implements Scenario {

    private static final String PLAIN = "plain";

    private static final Map<String, String> WHAT = Map.of(
            PLAIN,
            "a method called without a proxy",
            "bareProxy",
            "the same behind a CGLIB proxy with an empty interceptor",
            "leaderOnlyOnLeader",
            "the same with `@LeaderOnly`, on the leader",
            "leaderOnlyOnFollower",
            "the same with `@LeaderOnly`, on a follower",
            "recordedOnLeader",
            "the same as a job whose runs are recorded, on the leader",
            "recordedOnFollower",
            "the same as a job whose runs are recorded, on a follower",
            "schedulerLockTaken",
            "the same with ShedLock's `@SchedulerLock` over Redis, lock taken and given back",
            "schedulerLockRefused",
            "the same with ShedLock's `@SchedulerLock` over Redis, lock held elsewhere");

    private static final Map<String, String> TARGETS = Map.of(
            "leaderOnlyOnLeader", "<= 200 ns over the plain call",
            "leaderOnlyOnFollower", "<= 60 ns over the plain call");

    @Override
    public List<Row> run() throws RunnerException {
        List<Cost> costs = Cost.of(GuardBenchmark.class);
        double plain = costs.stream()
                .filter(cost -> cost.method().equals(PLAIN))
                .mapToDouble(Cost::nanos)
                .findFirst()
                .orElseThrow();
        return costs.stream().map(cost -> row(cost, plain)).toList();
    }

    private static Row row(Cost cost, double plain) {
        return new Row(
                WHAT.getOrDefault(cost.method(), cost.method()),
                TARGETS.getOrDefault(cost.method(), "-"),
                cost.method().equals(PLAIN)
                        ? cost.toString()
                        : cost + String.format(Locale.ROOT, "; %.1f ns over the plain call", cost.nanos() - plain));
    }
}
