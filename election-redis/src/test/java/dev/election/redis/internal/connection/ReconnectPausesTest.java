package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.redis.internal.failure.ConnectFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReconnectPausesTest {

    private static final Duration LEASE = Duration.ofSeconds(8);

    private boolean mayLead;
    private final ReconnectPauses pauses = new ReconnectPauses(LEASE, () -> mayLead);

    @Test
    void are_short_after_a_refusal_and_never_longer_than_said() {
        List<Long> refused = drawn(50, ConnectFailure.REFUSED);
        assertThat(refused.get(0)).isBetween(15L, 20L);
        assertThat(refused).allMatch(pause -> pause <= ReconnectPauses.longest().toMillis());
        assertThat(refused.get(49)).isBetween(375L, 500L);
    }

    @Test
    void grow_to_half_a_lease_after_attempts_that_were_not_answered_and_differ() {
        assertThat(pauses.after(ConnectFailure.UNANSWERED)).isBetween(500L, 1000L);
        assertThat(pauses.after(ConnectFailure.UNANSWERED)).isBetween(1000L, 2000L);
        assertThat(pauses.after(ConnectFailure.UNANSWERED)).isBetween(2000L, 4000L);
        List<Long> further = drawn(50, ConnectFailure.UNANSWERED);
        assertThat(further).allMatch(pause -> pause >= 2000 && pause <= 4000);
        assertThat(further.stream().distinct().count()).isGreaterThan(10);
    }

    @Test
    void stay_short_in_a_process_that_may_lead() {
        mayLead = true;
        assertThat(drawn(50, ConnectFailure.UNANSWERED))
                .allMatch(pause -> pause <= ReconnectPauses.longest().toMillis());
    }

    @Test
    void grow_to_half_a_lease_where_the_server_denies_its_service_but_not_in_a_process_that_may_lead() {
        List<Long> denied = drawn(50, ConnectFailure.DENIED);
        assertThat(denied.get(0)).isBetween(10L, 20L);
        assertThat(denied.get(49)).isBetween(2000L, 4000L);
        mayLead = true;
        assertThat(drawn(50, ConnectFailure.DENIED))
                .allMatch(pause -> pause <= ReconnectPauses.longest().toMillis());
    }

    @Test
    void differ_before_the_first_attempt_by_half_a_second_or_a_tenth_of_the_lease_at_most() {
        assertThat(first(pauses)).allMatch(pause -> pause >= 0 && pause <= 500);
        assertThat(first(pauses).stream().distinct().count()).isGreaterThan(10);
        ReconnectPauses ofShortLease = new ReconnectPauses(Duration.ofSeconds(1), () -> false);
        assertThat(first(ofShortLease)).allMatch(pause -> pause >= 0 && pause <= 100);
    }

    @Test
    void differ_and_grow_where_each_connection_is_lost_at_once_until_one_lasts() {
        assertThat(afterShortUse()).isBetween(250L, 500L);
        assertThat(afterShortUse()).isBetween(500L, 1000L);
        assertThat(afterShortUse()).isBetween(1000L, 2000L);
        assertThat(afterShortUse()).isBetween(2000L, 4000L);
        assertThat(afterShortUse()).isBetween(2000L, 4000L);
        assertThat(pauses.first()).isLessThanOrEqualTo(500L);
        assertThat(afterShortUse()).isBetween(250L, 500L);
    }

    @Test
    void are_none_before_the_first_attempt_of_a_process_that_may_lead_and_short_where_connections_are_lost_at_once() {
        mayLead = true;
        assertThat(first(pauses)).containsOnly(0L);
        assertThat(IntStream.range(0, 50).mapToLong(i -> afterShortUse()).boxed())
                .allMatch(pause -> pause >= 375 && pause <= 500);
    }

    @Test
    void begin_anew_when_connected() {
        drawn(50, ConnectFailure.UNANSWERED);
        pauses.connected();
        assertThat(pauses.after(ConnectFailure.UNANSWERED)).isBetween(500L, 1000L);
    }

    private static List<Long> first(ReconnectPauses pauses) {
        return IntStream.range(0, 50).mapToObj(i -> pauses.first()).toList();
    }

    /** A connection was made, and lost. */
    private long afterShortUse() {
        pauses.connected();
        return pauses.afterShortUse();
    }

    @Test
    void a_subscription_whose_connections_end_soon_backs_off_even_where_this_process_may_lead() {
        ReconnectPauses subscription = ReconnectPauses.ofSubscription(LEASE, () -> true);
        assertThat(subscription.isShort(TimeUnit.SECONDS.toNanos(9))).isTrue();
        assertThat(subscription.isShort(TimeUnit.SECONDS.toNanos(11))).isFalse();
        assertThat(subscription.afterShortUse()).isBetween(250L, 500L);
        assertThat(subscription.after(ConnectFailure.HUNG_UP)).isBetween(500L, 1000L);
        assertThat(subscription.afterShortUse()).isBetween(1000L, 2000L);
        assertThat(subscription.mayLead()).as("whether pauses are cut short").isFalse();

        assertThat(subscription.first()).as("after a connection that lasted").isZero();
        assertThat(subscription.mayLead()).isTrue();
        assertThat(subscription.after(ConnectFailure.UNANSWERED)).isLessThanOrEqualTo(500);
    }

    private List<Long> drawn(int count, ConnectFailure how) {
        return IntStream.range(0, count).mapToObj(i -> pauses.after(how)).toList();
    }
}
