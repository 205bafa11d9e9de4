package dev.election.autoconfigure.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is said of work that outlasts its leadership, by a clock in the test's hand. */
class OutlastingWorkTest {

    private final AtomicLong nanos = new AtomicLong();
    private final HandDrivenElection election = new HandDrivenElections().lead("reports");
    private final OutlastingWork outlasting = new OutlastingWork(new RunningCalls(nanos::get));

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election");

    @ParameterizedTest
    @EnumSource(names = {"STOPPED", "ABDICATED", "PREEMPTED"})
    void a_leadership_that_is_given_up_while_work_goes_on_is_one_warning_with_names_and_ages(LossReason reason) {
        begin("Reports.nightly");
        pass(Duration.ofSeconds(30));
        begin("job billing.invoices");
        pass(Duration.ofSeconds(5));
        lose(reason);
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains("'reports' was released (" + reason
                        + ") while leader work is still running: Reports.nightly, running for"
                        + " 35 s; job billing.invoices, running for 5 s.")
                .contains("Set election.shutdown.await");
    }

    @Test
    void work_that_has_ended_is_not_named() {
        begin("Reports.nightly").close();
        lose(LossReason.STOPPED);
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void work_of_an_earlier_leadership_is_not_named_again() {
        begin("earlier");
        lose(LossReason.ABDICATED);
        election.follow();
        election.lead();
        begin("present");
        lose(LossReason.STOPPED);
        assertThat(log.warnings()).hasSize(2);
        assertThat(log.warnings().get(1)).contains("present").doesNotContain("earlier");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"STOPPED", "ABDICATED", "PREEMPTED"})
    void a_leadership_that_is_lost_is_not_given_up(LossReason reason) {
        begin("Reports.nightly");
        lose(reason);
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void of_many_only_the_longest_are_named() {
        for (int i = 0; i < 100; i++) {
            begin("call " + i);
            pass(Duration.ofSeconds(1));
        }
        lose(LossReason.STOPPED);
        assertThat(log.warnings().get(0))
                .contains("call 0, running for 1 min 40 s; call 1, ", "; and 97 more")
                .doesNotContain("call 3,");
    }

    private LeaderWork begin(String what) {
        return outlasting.watch("reports", what, election.beginWork().orElseThrow());
    }

    private void lose(LossReason reason) {
        FencingToken token = election.leadership().orElseThrow().token();
        outlasting.onLost(new LeadershipEvent.Lost("reports", Instant.EPOCH, token, reason, Duration.ZERO));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
