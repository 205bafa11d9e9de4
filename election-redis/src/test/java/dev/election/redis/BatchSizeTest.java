package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchSizeTest {

    private final BatchSize size = new BatchSize();

    @Test
    void begins_with_what_a_slow_redis_does_in_time() {
        assertThat(size.renewals()).isEqualTo(BatchSize.FIRST);
    }

    @Test
    void becomes_what_a_redis_does_in_time() {
        takeEach(85);
        assertThat(size.renewals()).isBetween(49, 51);
        takeEach(25);
        assertThat(size.renewals()).isBetween(169, 171);
    }

    @Test
    void has_bounds() {
        takeEach(1);
        assertThat(size.renewals()).isEqualTo(BatchSize.MOST);
        takeEach(10_000);
        assertThat(size.renewals()).isEqualTo(BatchSize.LEAST);
    }

    @Test
    void what_is_beyond_the_bounds_is_forgotten_at_once() {
        takeEach(1);
        size.took(100, 10_000);
        assertThat(size.renewals()).as("after a failover to a slow server").isLessThan(BatchSize.MOST);
        takeEach(10_000);
        size.took(BatchSize.LEAST, 10);
        assertThat(size.renewals()).as("after a slow phase").isGreaterThan(BatchSize.LEAST);
    }

    @Test
    void the_smallest_scripts_are_heard_though_they_are_not_full() {
        takeEach(10_000);
        size.took(BatchSize.LEAST * 0.8, 10);
        assertThat(size.renewals()).isGreaterThan(BatchSize.LEAST);
    }

    @Test
    void one_script_that_was_interrupted_costs_no_more_than_a_fifth() {
        takeEach(25);
        int before = size.renewals();
        size.took(100, 1_000_000);
        assertThat(size.renewals()).isBetween(before * 8 / 10 - 1, before);
    }

    @Test
    void a_few_requests_and_a_clock_that_went_back_say_nothing() {
        size.took(BatchSize.LEAST / 2.0, 100_000);
        size.took(100, 0);
        size.took(100, -5_000_000);
        assertThat(size.renewals()).isEqualTo(BatchSize.FIRST);
    }

    private void takeEach(int micros) {
        for (int i = 0; i < 50; i++) {
            size.took(100, 100L * micros);
        }
    }
}
