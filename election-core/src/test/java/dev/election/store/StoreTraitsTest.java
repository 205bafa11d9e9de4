package dev.election.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StoreTraitsTest {

    private static final Duration TICK = Duration.ofMillis(1);
    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration ZERO = Duration.ZERO;
    private static final Duration NEGATIVE = Duration.ofMillis(-1);
    private static final Duration TOO_LONG = Duration.ofDays(1).plusNanos(1);

    @Test
    void a_server_rounds_to_milliseconds_and_delivers_messages_at_once() {
        assertThat(StoreTraits.ofServer("Redis"))
                .isEqualTo(new StoreTraits("Redis", TICK, LEASE, Duration.ofMillis(50), ZERO));
    }

    @Test
    void a_lease_that_is_too_short_is_refused_by_the_name_of_the_store_and_the_property() {
        StoreTraits traits = StoreTraits.ofServer("Redis");
        assertThatNoException().isThrownBy(() -> traits.requireLongEnough(LEASE, "election.lease"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> traits.requireLongEnough(LEASE.minusMillis(1), "election.lease"))
                .withMessageStartingWith("election.lease must be at least 1 s with Redis, but is 999 ms: ");
    }

    @Test
    void a_store_without_a_name_is_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> StoreTraits.ofServer(" "));
    }

    @Test
    void a_clock_must_tell_parts_of_the_shortest_lease_apart() {
        assertThatNoException().isThrownBy(() -> new StoreTraits("s", LEASE.dividedBy(10), LEASE, ZERO, ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StoreTraits("s", LEASE.dividedBy(10).plusNanos(1), LEASE, ZERO, ZERO))
                .withMessageContaining("clock resolution of a store must be at most 100 ms");
        assertThatIllegalArgumentException().isThrownBy(() -> new StoreTraits("s", ZERO, LEASE, ZERO, ZERO));
    }

    @Test
    void times_that_no_election_can_work_with_are_refused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new StoreTraits("s", TICK, ZERO, ZERO, ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> new StoreTraits("s", TICK, TOO_LONG, ZERO, ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> new StoreTraits("s", TICK, LEASE, NEGATIVE, ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> new StoreTraits("s", TICK, LEASE, TOO_LONG, ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> new StoreTraits("s", TICK, LEASE, ZERO, NEGATIVE));
        assertThatIllegalArgumentException().isThrownBy(() -> new StoreTraits("s", TICK, LEASE, ZERO, TOO_LONG));
    }
}
