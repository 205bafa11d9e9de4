package dev.election.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreTraitsTest {

    private static final Duration TICK = Duration.ofMillis(1);
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration ZERO = Duration.ZERO;
    private static final Duration NEGATIVE = Duration.ofMillis(-1);
    private static final Duration TOO_LONG = Duration.ofDays(1).plusNanos(1);

    @Test
    void a_server_rounds_to_milliseconds_and_delivers_messages_at_once() {
        assertThat(StoreTraits.ofServer("Redis", "prefix"))
                .isEqualTo(new StoreTraits(
                        "Redis", "prefix", TICK, LEASE, Duration.ofMillis(100), Duration.ofSeconds(1), ZERO));
    }

    @Test
    void a_lease_that_is_too_short_is_refused_by_the_name_of_the_store_and_the_property() {
        StoreTraits traits = StoreTraits.ofServer("Redis", "prefix");
        assertThatNoException().isThrownBy(() -> traits.requireLongEnough(LEASE, "election.lease"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> traits.requireLongEnough(LEASE.minusMillis(1), "election.lease"))
                .withMessageStartingWith("election.lease must be at least 1 s with Redis, but is 999 ms: ");
    }

    @Test
    void a_store_without_a_name_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> StoreTraits.ofServer(" ", "prefix"));
    }

    @Test
    void a_clock_must_tell_parts_of_the_shortest_lease_apart() {
        assertThatNoException().isThrownBy(() -> traits(LEASE.dividedBy(10), LEASE, TICK, ZERO, ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> traits(LEASE.dividedBy(10).plusNanos(1), LEASE, TICK, ZERO, ZERO))
                .withMessageContaining("clock resolution of a store must be at most 100 ms");
        assertThatIllegalArgumentException().isThrownBy(() -> traits(ZERO, LEASE, TICK, ZERO, ZERO));
    }

    @Test
    void times_that_no_election_can_work_with_are_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> traits(TICK, ZERO, TICK, ZERO, ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> traits(TICK, TOO_LONG, TICK, ZERO, ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> traits(TICK, LEASE, TICK, NEGATIVE, ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> traits(TICK, LEASE, TICK, TOO_LONG, ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> traits(TICK, LEASE, TICK, ZERO, NEGATIVE));
        assertThatIllegalArgumentException().isThrownBy(() -> traits(TICK, LEASE, TICK, ZERO, TOO_LONG));
    }

    @Test
    void an_answer_must_come_early_enough_for_more_attempts() {
        Duration longest = LEASE.dividedBy(3);
        assertThatNoException().isThrownBy(() -> traits(TICK, LEASE, longest, ZERO, ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> traits(TICK, LEASE, longest.plusNanos(1), ZERO, ZERO))
                .withMessageContaining("patience of a store must be at most");
        assertThatIllegalArgumentException().isThrownBy(() -> traits(TICK, LEASE, ZERO, ZERO, ZERO));
    }

    private static StoreTraits traits(
            Duration clockResolution,
            Duration shortestLease,
            Duration patience,
            Duration settle,
            Duration messageDelay) {
        return new StoreTraits("s", "prefix", clockResolution, shortestLease, patience, settle, messageDelay);
    }
}
