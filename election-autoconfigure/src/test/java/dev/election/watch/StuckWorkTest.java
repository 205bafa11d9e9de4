package dev.election.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderWork;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Which calls hang, by a clock in the test's hand. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StuckWorkTest {

    private static final Duration BOUND = Duration.ofMinutes(1);

    private final AtomicLong nanos = new AtomicLong();
    private final HandDrivenElections elections = new HandDrivenElections();
    private final HandDrivenElection election = elections.lead("reports");
    private final RunningCalls calls = new RunningCalls(nanos::get);
    private final StuckWork stuck = new StuckWork(elections, calls, BOUND);

    @AfterEach
    void close() {
        stuck.close();
    }

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

    private LeaderWork call(String what) {
        return calls.watch("reports", what, election.beginWork().orElseThrow());
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
