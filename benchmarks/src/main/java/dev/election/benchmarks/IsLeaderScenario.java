package dev.election.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

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
        List<Row> rows = new ArrayList<>();
        var options = new OptionsBuilder()
                .include(IsLeaderBenchmark.class.getName())
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .build();
        for (RunResult result : new Runner(options).run()) {
            rows.add(row(result));
        }
        return rows;
    }

    private static Row row(RunResult result) {
        String label = result.getPrimaryResult().getLabel();
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return new Row(
                WHAT.getOrDefault(label, label),
                label.startsWith("isLeader") ? "0 B/op" : "-",
                String.format(
                        Locale.ROOT,
                        "%.1f ns +- %.1f, %.3f B/op (mean of %d s)",
                        result.getPrimaryResult().getScore(),
                        result.getPrimaryResult().getScoreError(),
                        allocated == null ? Double.NaN : allocated.getScore(),
                        result.getPrimaryResult().getSampleCount()));
    }
}
