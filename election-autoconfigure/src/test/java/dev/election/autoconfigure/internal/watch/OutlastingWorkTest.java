package dev.election.autoconfigure.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** What is said of work that outlasts its leadership, by a clock in the test's hand. */
class OutlastingWorkTest {

    private final AtomicLong nanos = new AtomicLong();
    private final HandDrivenElection election = new HandDrivenElections().lead("reports");
    private final OutlastingWork outlasting = new OutlastingWork(new RunningCalls(nanos::get));
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.election");

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
    }

    @ParameterizedTest
    @EnumSource(names = {"STOPPED", "ABDICATED", "PREEMPTED"})
    void a_leadership_that_is_given_up_while_work_goes_on_is_one_warning_with_names_and_ages(LossReason reason) {
        begin("Reports.nightly");
        pass(Duration.ofSeconds(30));
        begin("job billing.invoices");
        pass(Duration.ofSeconds(5));
        lose(reason);
        assertThat(log.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
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
        assertThat(log.list).isEmpty();
    }

    @Test
    void work_of_an_earlier_leadership_is_not_named_again() {
        begin("earlier");
        lose(LossReason.ABDICATED);
        election.follow();
        election.lead();
        begin("present");
        lose(LossReason.STOPPED);
        assertThat(log.list).hasSize(2);
        assertThat(log.list.get(1).getFormattedMessage()).contains("present").doesNotContain("earlier");
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"STOPPED", "ABDICATED", "PREEMPTED"})
    void a_leadership_that_is_lost_is_not_given_up(LossReason reason) {
        begin("Reports.nightly");
        lose(reason);
        assertThat(log.list).isEmpty();
    }

    @Test
    void of_many_only_the_longest_are_named() {
        for (int i = 0; i < 100; i++) {
            begin("call " + i);
            pass(Duration.ofSeconds(1));
        }
        lose(LossReason.STOPPED);
        assertThat(log.list.get(0).getFormattedMessage())
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
