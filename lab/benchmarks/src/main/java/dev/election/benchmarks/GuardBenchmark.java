package dev.election.benchmarks;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
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
import org.springframework.aop.framework.ProxyFactory;

/** Measures the cost of the guard of a Spring bean's method. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class GuardBenchmark {

    private final Duel duel = Duel.begin();
    private final Guarded onLeader = new Guarded(duel.leader());
    private final Guarded onFollower = new Guarded(duel.follower());
    private final Locked locked = new Locked(duel.lab().redis().port());

    private final Job plain = new Job();
    private final Job proxied = proxied();
    private final Job leading = ran(onLeader.job(), true);
    private final Job following = ran(onFollower.job(), false);
    private final Job recording = ran(onLeader.recorded(), true);
    private final Job notRecording = ran(onFollower.recorded(), false);
    private final Job locking = ran(locked.free(), true);
    private final Job refused = ran(locked.held(), false);

    /** Leaves nothing behind. */
    @TearDown
    public void stop() throws IOException, InterruptedException {
        locked.close();
        onFollower.close();
        onLeader.close();
        duel.close();
    }

    /** The yardstick. */
    @Benchmark
    public void plain() {
        plain.run();
    }

    /** Calls a proxy without advice: the least that any proxy costs. */
    @Benchmark
    public void bareProxy() {
        proxied.run();
    }

    /** Admission, the call and its end. */
    @Benchmark
    public void leaderOnlyOnLeader() {
        leading.run();
    }

    /** A refusal. */
    @Benchmark
    public void leaderOnlyOnFollower() {
        following.run();
    }

    /** A call of the leader, recorded in memory, and about once a second in Redis. */
    @Benchmark
    public void recordedOnLeader() {
        recording.run();
    }

    /** A refusal. */
    @Benchmark
    public void recordedOnFollower() {
        notRecording.run();
    }

    /** Two round trips to Redis. */
    @Benchmark
    public void schedulerLockTaken() {
        locking.run();
    }

    /** One round trip to Redis. */
    @Benchmark
    public void schedulerLockRefused() {
        refused.run();
    }

    private static Job proxied() {
        ProxyFactory factory = new ProxyFactory(new Job());
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) invocation -> invocation.proceed());
        return (Job) factory.getProxy();
    }

    /** Measured is only what does what it should. */
    private static Job ran(Job job, boolean expected) {
        int before = job.ran();
        job.run();
        if (job.ran() > before != expected) {
            throw new IllegalStateException(job + (expected ? " did not run" : " ran"));
        }
        return job;
    }
}
