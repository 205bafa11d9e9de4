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
import org.openjdk.jmh.annotations.Warmup;

/** Measures the cost of a guarded call, beside that of the clock reading that it can't do without. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class IsLeaderBenchmark {

    private final Duel duel = Duel.begin();
    private final Election leader = duel.leader().election();
    private final Election follower = duel.follower().election();

    private final Work work = new Work();

    /** Leaves nothing behind. */
    @TearDown
    public void stop() throws IOException, InterruptedException {
        duel.close();
    }

    /** The yardstick. */
    @Benchmark
    public long nanoTime() {
        return System.nanoTime();
    }

    /** On the node that leads. */
    @Benchmark
    public boolean isLeaderOnLeader() {
        return leader.isLeader();
    }

    /** On a node that does not. */
    @Benchmark
    public boolean isLeaderOnFollower() {
        return follower.isLeader();
    }

    /** Admission, work that does next to nothing, and its end. */
    @Benchmark
    public int runIfLeaderOnLeader() {
        return leader.runIfLeader(work) ? work.ran : 0;
    }

    /** A refusal. */
    @Benchmark
    public boolean runIfLeaderOnFollower() {
        return follower.runIfLeader(work);
    }

    private static final class Work implements Runnable {

        private int ran;

        @Override
        public void run() {
            ran++;
        }
    }
}
