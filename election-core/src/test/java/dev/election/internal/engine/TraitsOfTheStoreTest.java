package dev.election.internal.engine;

import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.leader;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.ElectionEngine;
import dev.election.Leader;
import dev.election.StoreView;
import dev.election.Timing;
import dev.election.internal.election.ElectionFixture;
import dev.election.internal.election.ScriptedStore;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.StoreEvent;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What the engine makes of the traits of its store. */
class TraitsOfTheStoreTest {

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration MESSAGE_DELAY = Duration.ofSeconds(6);
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    /** At most. */
    private static final Duration FIRST_RETRY = Duration.ofMillis(25);

    private static final Duration LATE = Duration.ofSeconds(3);
    private static final StoreTraits TRAITS = new StoreTraits(
            "Slow", "slow.prefix", TICK, Duration.ofSeconds(10), LATE, Duration.ofSeconds(2), MESSAGE_DELAY);
    private static final Leader OTHER = leader("other", 100);

    @Test
    void a_leader_ends_its_lease_earlier_by_two_ticks_of_the_clock_of_the_store() {
        ElectionFixture fixture = ElectionFixture.leadingOver(new ScriptedStore(TRAITS));
        // Two percent of 15 s for clocks at different rates, and the ticks.
        fixture.pass(ElectionFixture.LEASE
                .minusMillis(300)
                .minus(TICK.multipliedBy(2))
                .minusNanos(1));
        assertThat(fixture.election.isLeader()).isTrue();
        fixture.pass(Duration.ofNanos(1));
        assertThat(fixture.election.isLeader()).isFalse();
    }

    @Test
    void with_a_server_a_leader_ends_its_lease_302_ms_earlier() {
        ElectionFixture fixture = ElectionFixture.leading();
        fixture.pass(ElectionFixture.LEASE.minusMillis(302).minusNanos(1));
        assertThat(fixture.election.isLeader()).isTrue();
        fixture.pass(Duration.ofNanos(1));
        assertThat(fixture.election.isLeader()).isFalse();
    }

    @Test
    void a_follower_asks_for_a_lease_one_tick_after_its_end() {
        ElectionFixture fixture = ElectionFixture.startedOver(new ScriptedStore(TRAITS));
        fixture.answerCampaign(held("other", 100, Duration.ofSeconds(5)));
        fixture.pass(Duration.ofSeconds(5).plus(TICK).minusNanos(1));
        assertThat(fixture.store.campaigns).isEmpty();
        fixture.pass(Duration.ofNanos(1));
        assertThat(fixture.store.campaigns).hasSize(1);
    }

    @Test
    void who_cools_down_looks_one_tick_after_the_end_of_the_lease() {
        ElectionFixture fixture = ElectionFixture.leadingOver(new ScriptedStore(TRAITS));
        fixture.election.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMinutes(1)));
        fixture.loop.settle();
        fixture.store.releases.remove().answer(new ReleaseReply.Released());
        fixture.store.event(new StoreEvent.Acquired(leader("other", 200), Duration.ofSeconds(5)));
        fixture.loop.settle();
        fixture.pass(Duration.ofSeconds(5).plus(TICK).minusNanos(1));
        assertThat(fixture.store.looks).isEmpty();
        fixture.pass(Duration.ofNanos(1));
        assertThat(fixture.store.looks).hasSize(1);
    }

    @Test
    void an_attempt_is_sent_again_when_its_answer_is_later_than_the_store_may_take() {
        ElectionFixture fixture = ElectionFixture.startedOver(new ScriptedStore(TRAITS));
        fixture.pass(LATE.minusNanos(1));
        assertThat(fixture.store.campaigns).hasSize(1);
        fixture.pass(FIRST_RETRY);
        assertThat(fixture.store.campaigns).hasSize(2);
    }

    @Test
    void with_a_server_an_attempt_is_sent_again_after_a_sixth_of_a_lease() {
        ElectionFixture fixture = ElectionFixture.startedOver(new ScriptedStore());
        fixture.pass(ElectionFixture.LEASE.dividedBy(6).minusNanos(1));
        assertThat(fixture.store.campaigns).hasSize(1);
        fixture.pass(FIRST_RETRY);
        assertThat(fixture.store.campaigns).hasSize(2);
    }

    @Test
    void a_request_to_abdicate_waits_longer_for_the_time_of_two_messages() {
        ElectionFixture fixture = ElectionFixture.startedOver(new ScriptedStore(TRAITS));
        fixture.answerCampaign(held("other", 100, Duration.ofHours(1)));
        CompletableFuture<AbdicationReport> report = fixture.election
                .requestAbdication(AbdicationRequest.of(Abdication.toAnyone()).waitingFor(PATIENCE))
                .toCompletableFuture();
        fixture.loop.settle();
        for (int tenth = 0; tenth < 600 && !report.isDone(); tenth++) {
            answerLooks(fixture);
            fixture.pass(Duration.ofMillis(report.isDone() ? 0 : 100));
            answerLooks(fixture);
        }
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.NO_REACTION);
        assertThat(report.join().took()).isEqualTo(PATIENCE.plus(MESSAGE_DELAY.multipliedBy(2)));
        assertThat(report.join().detail()).contains("within 16 s");
    }

    @Test
    void a_lease_that_is_too_short_for_the_store_is_refused_before_the_start() {
        ScriptedStore store = new ScriptedStore(TRAITS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElectionEngine.over(store)
                        .timing(Timing.ofLease(Duration.ofSeconds(9)))
                        .build())
                .withMessageContaining("The lease must be at least 10 s with Slow, but is 9 s");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElectionEngine.over(store)
                        .timing("quick", Timing.ofLease(Duration.ofSeconds(9)))
                        .build())
                .withMessageContaining("The lease of the election 'quick' must be at least 10 s with Slow");
        assertThatNoException().isThrownBy(() -> ElectionEngine.over(store)
                .timing(Timing.ofLease(Duration.ofSeconds(10)))
                .build()
                .close());
    }

    @Test
    void a_lease_that_can_not_be_renewed_in_time_is_refused_with_any_store() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Timing.ofLease(Duration.ofMillis(149)))
                .withMessageContaining("at least 150 ms with any store");
        assertThatNoException()
                .isThrownBy(() -> new Timing(Duration.ofMillis(150), Duration.ofMillis(100), Duration.ZERO));
    }

    private static void answerLooks(ElectionFixture fixture) {
        while (!fixture.store.looks.isEmpty()) {
            fixture.store
                    .looks
                    .remove()
                    .answer(new ReadReply.Read(
                            new StoreView(Instant.EPOCH, Optional.of(OTHER), Duration.ofSeconds(10), List.of())));
            fixture.loop.settle();
        }
    }
}
