package dev.election.spring.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ElectionConfigurationException;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.CallOutcome;
import dev.election.spring.calls.CallerContext;
import dev.election.store.InMemoryLedgerStore;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.Scheduled;

/** Jobs that are not started again for some time. */
class SpacedJobsTest {

    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();
    private final List<String> ran = new ArrayList<>();
    private JobNode current = node(Duration.ZERO);

    SpacedJobsTest() {
        ledger.clock(() -> current.scheduler.now());
    }

    @Test
    void a_job_is_not_started_again_by_the_same_leader_before_its_time() {
        JobNode node = current;
        node.lead(1);
        call(node);
        pass(node, Duration.ofSeconds(299));
        call(node);
        assertThat(ran).hasSize(1);

        pass(node, Duration.ofSeconds(1));
        call(node);
        assertThat(ran).hasSize(2);
    }

    @Test
    void a_job_is_not_started_again_by_the_next_leader_before_its_time() {
        current.lead(1);
        call(current);
        current.kill();

        leadNext(Duration.ofSeconds(200));
        assertThat(ran).hasSize(1);

        // The first start may have been later than is recorded, by a tenth of the time.
        pass(current, Duration.ofSeconds(129));
        call(current);
        assertThat(ran).hasSize(1);
        pass(current, Duration.ofSeconds(1));
        call(current);
        assertThat(ran).hasSize(2);
    }

    @Test
    void a_start_that_the_store_confirms_late_does_not_take_place_and_the_next_call_starts_the_job() {
        current.lead(1);
        current.slow(Duration.ZERO, Duration.ofMillis(30_001));
        call(current);
        assertThat(ran).isEmpty();

        call(current);
        assertThat(ran).hasSize(1);
    }

    @Test
    void a_start_that_reaches_the_store_late_is_not_recorded() {
        current.lead(1);
        current.slow(Duration.ofMillis(1001), Duration.ZERO);
        call(current);
        assertThat(ran).isEmpty();
        current.kill();

        leadNext(Duration.ofMillis(1001));
        assertThat(ran).hasSize(1);
    }

    @Test
    void the_time_counts_from_when_the_job_has_begun_however_late_the_store_has_answered() {
        current.lead(1);
        current.slow(Duration.ofSeconds(1), Duration.ofSeconds(29));
        call(current);
        assertThat(ran).hasSize(1);
        pass(current, Duration.ofSeconds(299));
        call(current);
        assertThat(ran).hasSize(1);
        pass(current, Duration.ofSeconds(1));
        call(current);
        assertThat(ran).hasSize(2);
    }

    @Test
    void the_next_leader_allows_for_a_job_that_has_begun_later_than_the_store_has_recorded() {
        current.lead(1);
        current.slow(Duration.ZERO, Duration.ofSeconds(29));
        call(current);
        assertThat(ran).hasSize(1);
        current.kill();

        // Begun 299 s ago.
        leadNext(Duration.ofSeconds(328));
        assertThat(ran).hasSize(1);
        pass(current, Duration.ofSeconds(2));
        call(current);
        assertThat(ran).hasSize(2);
    }

    @Test
    void the_next_leader_counts_from_when_the_method_was_called_however_long_a_cold_process_took_for_that() {
        current.lead(1);
        current.calls = coldFor(Duration.ofSeconds(40));
        call(current);
        assertThat(ran).hasSize(1);
        current.kill();

        // Begun 299 s ago.
        leadNext(Duration.ofSeconds(339));
        assertThat(ran).hasSize(1);
        pass(current, Duration.ofSeconds(31));
        call(current);
        assertThat(ran).hasSize(2);
    }

    @Test
    void without_an_answer_the_job_is_not_started_and_starts_with_the_next_call_that_has_one() {
        current.lead(1);
        current.cutOff(true);
        call(current);
        assertThat(ran).isEmpty();

        current.cutOff(false);
        call(current);
        assertThat(ran).hasSize(1);
    }

    @Test
    void a_start_that_is_not_confirmed_is_a_warning_once_in_each_leadership() {
        try (LoggedLines log = new LoggedLines("dev.election.jobs.engine")) {
            for (int token = 1; token <= 2; token++) {
                current.cutOff(false);
                current.lead(token);
                current.cutOff(true);
                call(current);
                pass(current, Duration.ofMinutes(10));
                call(current);
                assertThat(log.with("is not started now")).hasSize(token);
                current.election().follow();
                pass(current, Duration.ofMinutes(10));
            }
            assertThat(ran).isEmpty();
        }
    }

    @Test
    void before_it_is_known_what_earlier_leaders_have_started_nothing_is() {
        CompletableFuture<Void> gate = ledger.holdBack();
        current.lead(1);
        call(current);
        assertThat(ran).isEmpty();

        gate.complete(null);
        call(current);
        assertThat(ran).hasSize(1);
    }

    @Test
    void a_store_that_may_have_lost_a_start_delays_the_next_one() {
        current.lead(1);
        call(current);
        current.kill();
        ledger.intactFor(Duration.ofSeconds(10));

        leadNext(Duration.ofSeconds(400));
        assertThat(ran).as("10 s after the store may have lost a start").hasSize(1);

        pass(current, Duration.ofSeconds(320));
        call(current);
        assertThat(ran).hasSize(2);
    }

    @Test
    void of_an_empty_ledger_a_node_that_was_not_alone_concludes_nothing() {
        current.lead(1);
        call(current);
        current.kill();
        ledger.forget();

        current = node(Duration.ofSeconds(400));
        current.election().leadElsewhere(1);
        current.lead(2);
        call(current);
        assertThat(ran).hasSize(1);

        pass(current, Duration.ofSeconds(330));
        call(current);
        assertThat(ran).hasSize(2);
    }

    @Test
    void of_an_empty_ledger_a_new_node_concludes_nothing_of_the_time_before_the_store_was_restarted() {
        ledger.intactFor(Duration.ofSeconds(10));
        current.lead(1);
        call(current);
        assertThat(ran).as("10 s after the restart").isEmpty();

        pass(current, Duration.ofSeconds(320));
        call(current);
        assertThat(ran).hasSize(1);
    }

    @Test
    void a_start_in_the_future_counts_as_one_of_now() {
        current.lead(1);
        call(current);
        current.kill();
        InstantSource before = () -> current.scheduler.now();
        ledger.clock(() -> before.instant().minus(Duration.ofHours(1)));

        leadNext(Duration.ofSeconds(400));
        assertThat(ran).hasSize(1);
        pass(current, Duration.ofSeconds(299));
        call(current);
        assertThat(ran).hasSize(1);

        pass(current, Duration.ofSeconds(31));
        call(current);
        assertThat(ran).hasSize(2);
    }

    @Test
    void it_can_t_be_combined_with_the_recovery_of_slots() {
        class Both {
            @Scheduled(cron = "0 * * * * *")
            @LeaderOnly(recoverWithin = "10m", atLeastFor = "5m")
            public void run() {}
        }
        assertThatThrownBy(() -> current.add("both", new Both()))
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("both atLeastFor and recoverWithin are set");
    }

    private static void call(JobNode node) {
        ((Spaced) node.bean("jobs")).run();
    }

    private CallObserver coldFor(Duration time) {
        return new CallObserver() {
            @Override
            public void called(
                    String election, CallOutcome outcome, @Nullable FencingToken token, CallerContext caller) {
                pass(current, time);
            }
        };
    }

    private static void pass(JobNode node, Duration time) {
        node.scheduler.advance(time);
    }

    /** Another node leads so long after noon, and calls the job. */
    private void leadNext(Duration later) {
        current = node(later);
        current.lead(2);
        call(current);
    }

    private JobNode node(Duration later) {
        return new JobNode(ledger, NOON.plus(later), new Spaced());
    }

    class Spaced {

        @LeaderOnly(atLeastFor = "5m")
        public void run() {
            ran.add("run");
        }
    }
}
