package dev.election.benchmarks;

import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.runner.RunnerException;

/** Runs {@link WorkBenchmark}. */
final class WorkScenario implements Scenario {

    private static final String WHAT = "`beginWork()` and `close()` on the leader, by ";

    @Override
    public List<Row> run() throws RunnerException {
        List<Cost> costs = Cost.of(WorkBenchmark.class);
        Cost one = of(costs, "oneThread");
        Cost two = of(costs, "twoThreads");
        double throughput = 2 * one.nanos() / two.nanos();
        return List.of(
                new Row(WHAT + "one thread", "-", one.toString()),
                new Row(
                        WHAT + "two threads at a time",
                        ">= the throughput of one",
                        two + String.format(Locale.ROOT, "; %.2f times the throughput of one", throughput)));
    }

    private static Cost of(List<Cost> costs, String method) {
        return costs.stream()
                .filter(cost -> cost.method().equals(method))
                .findFirst()
                .orElseThrow();
    }
}
