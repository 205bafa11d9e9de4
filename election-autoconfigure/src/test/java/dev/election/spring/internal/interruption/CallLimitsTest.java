package dev.election.spring.internal.interruption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeaderWork;
import dev.election.Timing;
import dev.election.spring.calls.OverdueWork;
import dev.election.spring.internal.delay.DelayedTaskThread;
import dev.election.spring.internal.delay.HandDrivenTasks;
import dev.election.store.test.InMemoryLeaseStore;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The ends of calls that run for longer than their own limit, and of the leadership of those that go on. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class CallLimitsTest {

    private final HandDrivenElections elections = new HandDrivenElections();
    private final HandDrivenElection election = elections.lead("reports");

    @Test
    void a_call_with_a_bound_of_its_own_is_interrupted_and_ends_leadership_if_it_goes_on() {
        AtomicInteger interrupts = new AtomicInteger();
        CallLimits limits = limits(Duration.ofMillis(50));
        LeaderWork work = limits.limit(
                "Reports.build",
                Duration.ofMillis(50),
                () -> {
                    interrupts.incrementAndGet();
                    return Stopping.INTERRUPTED;
                },
                election.beginWork().orElseThrow());

        Awaitility.await("abdication").until(() -> !election.isLeader());
        assertThat(interrupts).hasValue(1);
        work.close();
    }

    @Test
    void a_call_that_ends_when_it_is_interrupted_ends_no_leadership() throws Exception {
        CallLimits limits = limits(Duration.ofMillis(20));
        awaitInterruptThatEnds(limits, Duration.ofMillis(20));
        // The tasks planned for the first call have run when this one is interrupted.
        awaitInterruptThatEnds(limits, Duration.ofMillis(100));

        assertThat(election.isLeader()).isTrue();
    }

    @Test
    void a_call_that_ends_in_time_is_not_interrupted() {
        AtomicInteger interrupts = new AtomicInteger();
        AtomicInteger later = new AtomicInteger();
        HandDrivenTasks tasks = new HandDrivenTasks();
        CallLimits limits = new CallLimits(new OverdueWork(() -> "me"), tasks, Duration.ofMillis(20));
        limited(limits, Duration.ofSeconds(3), interrupts::incrementAndGet).close();
        LeaderWork lasting = limited(limits, Duration.ofMillis(3_100), later::incrementAndGet);
        tasks.pass();
        lasting.close();

        assertThat(interrupts).hasValue(0);
        assertThat(later).hasValue(1);
        assertThat(tasks.isIdle()).isTrue();
    }

    @Test
    void the_end_of_leadership_is_told_when_it_has_ended_and_not_while_a_drain_goes_on(CapturedOutput output)
            throws Exception {
        Duration drain = Duration.ofMinutes(1);
        Duration brief = Duration.ofMillis(20);
        HandDrivenTasks tasks = new HandDrivenTasks();
        try (ElectionEngine engine = ElectionEngine.over(
                        new InMemoryLeaseStore(() -> System.nanoTime() / 1_000_000 + 1))
                .timing(new Timing(Duration.ofSeconds(15), Duration.ofSeconds(5), drain))
                .build()) {
            CallLimits limits = new CallLimits(new OverdueWork(() -> "me"), tasks, brief);
            Election real = engine.get("reports");
            engine.start();
            assertThat(real.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            LeaderWork work = real.beginWork().orElseThrow();
            CompletionStage<AbdicationOutcome> abdication = real.abdicate(Abdication.toAnyone());
            limits.limit("Reports.build", brief, () -> Stopping.INTERRUPTED, work);
            tasks.pass();
            tasks.pass();
            assertThat(output).doesNotContain("has given up the leadership");
            work.close();

            Awaitility.await("the end")
                    .until(() -> output.getOut().contains("has given up the leadership of 'reports'"));
            assertThat(real.isLeader()).isFalse();
            assertThat(abdication.toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .isEqualTo(AbdicationOutcome.RELEASED);
            assertThat(output)
                    .containsOnlyOnce(
                            "Reports.build in the election 'reports' has been running for 20 ms (atMostFor) and is"
                                    + " interrupted. If it does not end within 20 ms");
        }
    }

    /** On the thread that interrupts the call, so that it ends before anybody gives it up. */
    private void awaitInterruptThatEnds(CallLimits limits, Duration atMost) throws Exception {
        CompletableFuture<LeaderWork> work = new CompletableFuture<>();
        CountDownLatch ended = new CountDownLatch(1);
        work.complete(limited(limits, atMost, () -> {
            work.join().close();
            ended.countDown();
        }));
        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private LeaderWork limited(CallLimits limits, Duration atMost, Runnable interrupt) {
        Supplier<Stopping> stop = () -> {
            interrupt.run();
            return Stopping.INTERRUPTED;
        };
        return limits.limit("Reports.build", atMost, stop, election.beginWork().orElseThrow());
    }

    private static CallLimits limits(Duration grace) {
        return new CallLimits(new OverdueWork(() -> "me"), new DelayedTaskThread("limits"), grace);
    }
}
