package dev.election.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * The measurement of one method by JMH.
 *
 * @param method the name of the benchmark method
 * @param nanos the mean time of a call
 * @param error half of its confidence interval
 * @param bytes what a call allocates
 * @param seconds how many iterations of a second the mean is over
 */
record Cost(String method, double nanos, double error, double bytes, long seconds) {

    /** Runs all methods of a benchmark, with the allocation profiler. */
    static List<Cost> of(Class<?> benchmark) throws RunnerException {
        List<Cost> costs = new ArrayList<>();
        var options = new OptionsBuilder()
                .include(benchmark.getName())
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .build();
        for (RunResult result : new Runner(options).run()) {
            costs.add(of(result));
        }
        return costs;
    }

    private static Cost of(RunResult result) {
        Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
        return new Cost(
                result.getPrimaryResult().getLabel(),
                result.getPrimaryResult().getScore(),
                result.getPrimaryResult().getScoreError(),
                allocated == null ? Double.NaN : allocated.getScore(),
                result.getPrimaryResult().getSampleCount());
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%.1f ns +- %.1f, %.3f B/op (mean of %d s)", nanos, error, bytes, seconds);
    }
}
