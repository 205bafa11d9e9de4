package dev.election.benchmarks;

import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.RunnerException;

/** Runs {@link IsLeaderBenchmark}. */
final class IsLeaderScenario implements Scenario {

    private static final Map<String, String> WHAT = Map.of(
            "nanoTime", "`System.nanoTime()` alone",
            "isLeaderOnLeader", "`isLeader()` on the leader",
            "isLeaderOnFollower", "`isLeader()` on a follower",
            "runIfLeaderOnLeader", "`runIfLeader` on the leader",
            "runIfLeaderOnFollower", "`runIfLeader` on a follower");

    @Override
    public List<Row> run() throws RunnerException {
        return Cost.of(IsLeaderBenchmark.class).stream()
                .map(IsLeaderScenario::row)
                .toList();
    }

    private static Row row(Cost cost) {
        return new Row(
                WHAT.getOrDefault(cost.method(), cost.method()),
                cost.method().startsWith("isLeader") ? "0 B/op" : "-",
                cost.toString());
    }
}
