package dev.election.internal.members;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When a process beats. The lease lasts 3000. */
class BeatScheduleTest {

    private final BeatSchedule schedule = new BeatSchedule(3000);

    @Test
    void a_beat_joins_a_batch_after_half_a_lease_and_is_sent_by_itself_after_more_than_one_and_a_half() {
        schedule.sent(1000);
        schedule.answered();
        assertThat(schedule.mayJoin(2499)).isFalse();
        assertThat(schedule.mayJoin(2500)).isTrue();
        assertThat(schedule.dueAt()).isEqualTo(5800);
    }

    @Test
    void while_a_reply_is_awaited_nothing_joins_for_half_a_lease() {
        schedule.sent(1000);
        schedule.changed(1001);
        assertThat(schedule.mayJoin(2499)).isFalse();
        assertThat(schedule.dueAt()).isEqualTo(2500);
        schedule.answered();
        assertThat(schedule.mayJoin(1002)).isTrue();
        assertThat(schedule.dueAt()).isEqualTo(1011);
    }

    @Test
    void a_wish_is_fulfilled_once_and_the_earliest_counts() {
        schedule.sent(1000);
        schedule.answered();
        schedule.lacking(1100, 1);
        assertThat(schedule.dueAt()).isEqualTo(1500);
        assertThat(schedule.mayJoin(1499)).isFalse();
        schedule.changed(1200);
        assertThat(schedule.dueAt()).isEqualTo(1210);
        assertThat(schedule.mayJoin(1200)).isTrue();
        schedule.sent(1210);
        schedule.answered();
        assertThat(schedule.dueAt()).isEqualTo(6010);
    }

    @Test
    void who_lacks_something_asks_within_a_tenth_of_a_lease() {
        schedule.sent(1000);
        schedule.answered();
        schedule.lacking(2000, 0.5);
        assertThat(schedule.dueAt()).isEqualTo(2150);
    }

    @Test
    void a_beat_that_failed_is_sent_again_after_a_sixth_of_a_lease_or_with_any_batch() {
        schedule.sent(1000);
        schedule.failed(1200);
        assertThat(schedule.dueAt()).isEqualTo(1700);
        assertThat(schedule.mayJoin(1200)).isTrue();
        schedule.sent(1700);
        schedule.unfinished(1800);
        assertThat(schedule.dueAt()).isEqualTo(1800);
    }
}
