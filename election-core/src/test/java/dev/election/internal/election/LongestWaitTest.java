package dev.election.internal.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeaderWork;
import dev.election.Role;
import dev.election.Timing;
import dev.election.record.AtomicLeaseStore;
import dev.election.store.ReleaseReply;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Times that no clock can count in nanoseconds, as "for ever". */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LongestWaitTest {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();
    private static final Duration ALMOST_292_YEARS = Duration.ofNanos(Long.MAX_VALUE);

    @Test
    void a_leader_that_would_wait_for_its_work_for_ever_releases_when_that_has_ended() {
        assertThatItReleasesAfterItsWork(FOREVER);
    }

    @Test
    void so_does_one_whose_wait_would_end_where_the_clock_begins_again() {
        assertThatItReleasesAfterItsWork(ALMOST_292_YEARS);
    }

    @Test
    void an_engine_that_would_wait_for_ever_is_closed_when_the_work_has_ended() throws Exception {
        Timing timing = new Timing(Duration.ofSeconds(15), Duration.ofSeconds(5), FOREVER);
        ElectionEngine engine = ElectionEngine.over(new AtomicLeaseStore(System::currentTimeMillis))
                .timing(timing)
                .build();
        Election election = engine.get("e");
        engine.start();
        assertThat(election.awaitLeadership(FOREVER)).isTrue();
        LeaderWork work = election.beginWork().orElseThrow();
        CompletableFuture<Void> closed = new CompletableFuture<>();
        new Thread(() -> {
                    engine.close();
                    closed.complete(null);
                })
                .start();
        Awaitility.await("the end of admissions").atMost(Duration.ofSeconds(20)).until(() -> isClosedForWork(election));
        assertThat(closed).isNotDone();
        work.close();
        closed.get(10, TimeUnit.SECONDS);
        assertThat(election.role()).isEqualTo(Role.STOPPED);
    }

    @Test
    void a_request_with_patience_for_ever_is_reported_on() throws Exception {
        AbdicationRequest request =
                AbdicationRequest.of(Abdication.toAnyone().drainingFor(FOREVER)).waitingFor(FOREVER);
        try (ElectionEngine engine = ElectionEngine.over(new AtomicLeaseStore(System::currentTimeMillis))
                .build()) {
            Election election = engine.get("e");
            engine.start();
            assertThat(election.awaitLeadership(Duration.ofSeconds(10))).isTrue();
            AbdicationReport report =
                    election.requestAbdication(request).toCompletableFuture().get(10, TimeUnit.SECONDS);
            assertThat(report.outcome()).isEqualTo(AbdicationOutcome.RELEASED);
        }
    }

    @Test
    void to_stay_out_or_to_be_waited_for_by_all_for_longer_than_a_year_is_refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Abdication.toAnyone().coolingDownFor(FOREVER))
                .withMessage("The cooldown must be at most 365 days, but is " + ReadableDuration.of(FOREVER));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Abdication(null, Duration.ZERO, "third", ALMOST_292_YEARS))
                .withMessage("The time reserved for the successor must be at most 365 days, but is "
                        + ReadableDuration.of(ALMOST_292_YEARS));
    }

    @Test
    void what_travels_to_another_node_is_bounded_more_tightly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AbdicationRequest.of(Abdication.toAnyone().coolingDownFor(Duration.ofDays(2))))
                .withMessage("The cooldown of a request to another node must be at most 1 d, but is 2 d");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> AbdicationRequest.of(new Abdication(null, Duration.ZERO, "third", Duration.ofMinutes(2))))
                .withMessage(
                        "The time reserved for the successor of a request to another node must be at most 1 min, but is 2 min");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AbdicationRequest.of(Abdication.to("no\nnode")))
                .withMessageContaining("id of a node");
        assertThat(AbdicationRequest.of(Abdication.toAnyone().drainingFor(FOREVER))
                        .how()
                        .drain())
                .isEqualTo(Duration.ofDays(1));
    }

    @Test
    void a_renew_interval_of_for_ever_is_refused_as_any_that_is_too_long() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Timing(Duration.ofSeconds(15), FOREVER, Duration.ZERO))
                .withMessageContaining("at most two thirds of the lease");
    }

    private static boolean isClosedForWork(Election election) {
        Optional<LeaderWork> admitted = election.beginWork();
        admitted.ifPresent(LeaderWork::close);
        return admitted.isEmpty();
    }

    private static void assertThatItReleasesAfterItsWork(Duration drain) {
        ElectionFixture fixture = ElectionFixture.leading();
        LeaderWork work = fixture.election.beginWork().orElseThrow();
        CompletableFuture<AbdicationOutcome> outcome = fixture.election
                .abdicate(Abdication.toAnyone().drainingFor(drain))
                .toCompletableFuture();
        fixture.pass(Duration.ofSeconds(5));
        assertThat(fixture.store.renewals).as("while the work runs").hasSize(1);
        assertThat(fixture.store.releases).isEmpty();
        work.close();
        fixture.loop.settle();
        fixture.store.releases.remove().answer(new ReleaseReply.Released());
        fixture.loop.settle();
        assertThat(outcome).isCompletedWithValue(AbdicationOutcome.RELEASED);
    }
}
