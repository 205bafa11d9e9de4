package dev.election.benchmarks;

import dev.election.Election;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Work that is admitted and ends on a leader. The warm-up is longer than the time between two renewals, after which threads count apart. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 7, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WorkBenchmark {

    private final Duel duel = Duel.begin();
    private final Election leader = duel.leader().election();

    /** Leaves nothing behind. */
    @TearDown
    public void stop() throws IOException, InterruptedException {
        duel.close();
    }

    /** The yardstick. */
    @Benchmark
    public void oneThread() {
        work();
    }

    /** Runs one thread on each of the two processors that the machine has. */
    @Benchmark
    @Threads(2)
    public void twoThreads() {
        work();
    }

    private void work() {
        leader.beginWork().orElseThrow().close();
    }
}
