package dev.election.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LogLimitTest {

    @Test
    void a_state_is_logged_once_until_it_has_ended() {
        LogLimit limit = LogLimit.once();
        assertThat(limit.begins("a")).isTrue();
        assertThat(limit.begins("a")).isFalse();
        assertThat(limit.begins("b")).as("another subject").isTrue();
        assertThat(limit.ends("a")).as("whether its end is worth a line").isTrue();
        assertThat(limit.ends("a")).isFalse();
        assertThat(limit.begins("a")).isTrue();
    }

    @Test
    void invented_subjects_are_logged_up_to_a_number() {
        LogLimit limit = LogLimit.once(2);
        assertThat(limit.begins("a")).isTrue();
        assertThat(limit.begins("b")).isTrue();
        assertThat(limit.begins("c")).isFalse();
        assertThat(limit.ends("a")).isTrue();
        assertThat(limit.begins("c")).isTrue();
    }

    @Test
    void a_reminder_comes_when_the_period_is_over() {
        LogLimit limit = LogLimit.every(Duration.ofMinutes(1));
        long minute = TimeUnit.MINUTES.toNanos(1);
        long begun = Long.MAX_VALUE - minute / 2;
        assertThat(limit.begins("a", begun)).isTrue();
        assertThat(limit.begins("a", begun + minute - 1)).isFalse();
        assertThat(limit.begins("a", begun + minute))
                .as("the clock may overflow")
                .isTrue();
        assertThat(limit.begins("a", begun + minute + 1)).isFalse();
    }
}
