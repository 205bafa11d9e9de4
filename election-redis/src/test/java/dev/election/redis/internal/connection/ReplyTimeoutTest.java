package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReplyTimeoutTest {

    private final ReplyTimeout timeout = new ReplyTimeout(Duration.ofSeconds(8), () -> false);

    @Test
    void is_half_a_lease_before_anything_was_answered_and_shrinks_with_each_reply_to_an_eighth() {
        assertThat(millis()).isEqualTo(4000);
        answer(10);
        assertThat(millis()).isEqualTo(2000);
        answer(10);
        answer(10);
        answer(10);
        assertThat(millis()).isEqualTo(1000);
    }

    @Test
    void is_twice_what_a_reply_took_and_no_longer_than_half_a_lease() {
        answer(10);
        answer(10);
        answer(10);
        answer(900);
        assertThat(millis()).isEqualTo(1800);
        answer(7000);
        assertThat(millis()).isEqualTo(4000);
    }

    @Test
    void doubles_with_each_connection_that_was_given_up_in_vain() {
        answer(10);
        answer(10);
        answer(10);
        timeout.givenUp();
        assertThat(millis()).isEqualTo(2000);
        timeout.givenUp();
        timeout.givenUp();
        timeout.givenUp();
        assertThat(millis()).isEqualTo(8000);
    }

    @Test
    void is_never_longer_than_ten_seconds_however_long_the_lease_is() {
        ReplyTimeout ofLongLease = new ReplyTimeout(Duration.ofMinutes(10), () -> true);
        assertThat(ofLongLease.nanos()).isEqualTo(TimeUnit.SECONDS.toNanos(10));
        ofLongLease.answeredAfter(TimeUnit.MINUTES.toNanos(4));
        ofLongLease.givenUp();
        assertThat(ofLongLease.nanos()).isEqualTo(TimeUnit.SECONDS.toNanos(10));
    }

    private void answer(long tookMillis) {
        timeout.answeredAfter(TimeUnit.MILLISECONDS.toNanos(tookMillis));
    }

    private long millis() {
        return TimeUnit.NANOSECONDS.toMillis(timeout.nanos());
    }
}
