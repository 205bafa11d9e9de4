package dev.election.autoconfigure.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeaderWork;
import dev.election.Timing;
import dev.election.spring.calls.OverdueWork;
import dev.election.store.test.InMemoryLeaseStore;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Which calls hang, by a clock in the test's hand. */
@ExtendWith(OutputCaptureExtension.class)
class StuckWorkTest {

    private static final Duration BOUND = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong();
    private final HandDrivenElections elections = new HandDrivenElections();
    private final HandDrivenElection election = elections.lead("reports");
    private final RunningCalls calls = new RunningCalls(nanos::get);

    @AutoClose
    private final StuckWork stuck = new StuckWork(elections, calls, BOUND, new OverdueWork(elections::node));

    @Test
    void a_call_hangs_once_it_has_run_for_longer_than_the_bound_and_until_it_ends() {
        LeaderWork work = call("first");
        pass(BOUND);
        assertThat(stuck.of(election)).isEmpty();
        pass(Duration.ofMillis(1));
        assertThat(stuck.of(election)).map(RunningCalls.Oldest::what).contains("first");
        work.close();
        assertThat(stuck.of(election)).isEmpty();
    }

    @Test
    void guarded_calls_are_registered_only_where_there_is_a_bound_for_all() throws Exception {
        Method method = Runnable.class.getMethod("run");
        LeaderWork work = election.beginWork().orElseThrow();
        try (StuckWork unbounded = new StuckWork(elections, null, new OverdueWork(elections::node))) {
            assertThat(unbounded.begun("reports", method, work)).isSameAs(work);
        }
        try (LeaderWork watched = stuck.begun("reports", method, work)) {
            pass(BOUND.plusMillis(1));
            assertThat(stuck.of(election)).map(RunningCalls.Oldest::what).contains("Runnable.run");
            assertThat(watched.token()).isEqualTo(work.token());
        }
        assertThat(stuck.of(election)).isEmpty();
    }

    @Test
    void a_call_that_hangs_is_logged_once_with_its_name(CapturedOutput output) {
        AtomicLong soon = new AtomicLong();
        RunningCalls few = new RunningCalls(soon::get);
        try (StuckWork bounded =
                new StuckWork(elections, few, Duration.ofMillis(4), new OverdueWork(elections::node))) {
            bounded.warnWhenStuck();
            few.watch("reports", "Reports.build", election.beginWork().orElseThrow());
            soon.set(Duration.ofSeconds(1).toNanos());
            Awaitility.await("the warning").until(() -> output.getOut()
                    .contains("Reports.build in the election 'reports' has been running for 1 s"));
            few.watch("reports", "Reports.send", election.beginWork().orElseThrow());
            soon.set(Duration.ofSeconds(2).toNanos());
            few.oldest("reports").ifPresent(oldest -> assertThat(oldest.what()).isEqualTo("Reports.build"));
        }
        assertThat(output).containsOnlyOnce("election.health.stuck-work-after").doesNotContain("Reports.send");
    }

    @Test
    void a_call_that_hangs_since_an_earlier_leadership_does_not_end_the_next() {
        call("earlier");
        election.follow();
        election.lead();
        pass(Duration.ofMillis(1));
        call("present");
        pass(BOUND);
        assertThat(stuck.of(election)).isEmpty();
        pass(Duration.ofMillis(1));
        assertThat(stuck.of(election)).map(RunningCalls.Oldest::what).contains("present");
    }

    @Test
    void the_end_of_leadership_is_told_once_however_often_a_stuck_call_is_found_while_a_drain_goes_on(
            CapturedOutput output) throws Exception {
        AtomicInteger looks = new AtomicInteger();
        RunningCalls running = new RunningCalls(() -> {
            looks.incrementAndGet();
            return System.nanoTime();
        });
        try (ElectionEngine engine = ElectionEngine.over(
                                new InMemoryLeaseStore(() -> System.nanoTime() / 1_000_000 + 1))
                        .timing(new Timing(Duration.ofSeconds(15), Duration.ofSeconds(5), Duration.ofMinutes(1)))
                        .build();
                StuckWork bounded =
                        new StuckWork(engine, running, Duration.ofMillis(40), new OverdueWork(engine::node))) {
            Election real = engine.get("reports");
            engine.start();
            assertThat(real.awaitLeadership(Duration.ofSeconds(20))).isTrue();
            LeaderWork work =
                    running.watch("reports", "Reports.build", real.beginWork().orElseThrow());
            CompletionStage<AbdicationOutcome> abdication = real.abdicate(Abdication.toAnyone());
            Awaitility.await("stuck").until(() -> bounded.of(real).isPresent());
            int stuck = looks.get();
            bounded.abdicateWhenStuck();
            Awaitility.await("found several times").until(() -> looks.get() > stuck + 10);
            assertThat(output).doesNotContain("has given up the leadership");
            work.close();

            assertThat(abdication.toCompletableFuture().get(20, TimeUnit.SECONDS))
                    .isEqualTo(AbdicationOutcome.RELEASED);
            Awaitility.await("the end")
                    .until(() -> output.getOut().contains("has given up the leadership of 'reports'"));
        }
        assertThat(output).containsOnlyOnce("has given up the leadership of 'reports'");
    }

    private LeaderWork call(String what) {
        return calls.watch("reports", what, election.beginWork().orElseThrow());
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
