package dev.election.spring.internal.slot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.jobs.slots.ScheduleSlots;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.support.CronTrigger;

/** Which slots a cron expression names. */
class CronScheduleTest {

    @Test
    void slots_follow_the_time_zone_through_the_change_to_summer_time_as_spring_says() {
        CronSchedule daily = CronSchedule.of("job", "0 30 2 * * *", "Europe/Berlin");

        // At 02:00 on that day the clocks are set to 03:00: there is no 02:30.
        assertThat(next(daily, "2026-03-28T01:30:00Z")).isEqualTo("2026-03-30T00:30:00Z");
    }

    @Test
    void a_time_that_comes_twice_is_two_slots_as_spring_says() {
        CronSchedule daily = CronSchedule.of("job", "0 30 2 * * *", "Europe/Berlin");

        assertThat(next(daily, "2026-10-24T00:30:00Z")).isEqualTo("2026-10-25T00:30:00Z");
        assertThat(next(daily, "2026-10-25T00:30:00Z")).isEqualTo("2026-10-25T01:30:00Z");
        assertThat(next(daily, "2026-10-25T01:30:00Z")).isEqualTo("2026-10-26T01:30:00Z");
    }

    @Test
    void where_clocks_are_set_back_by_half_an_hour_the_search_comes_to_an_end() {
        CronSchedule daily = CronSchedule.of("job", "0 0 1 * * *", "Australia/Lord_Howe");

        assertThat(latest(daily, "2026-04-01T00:00:00Z", "2026-04-08T00:00:00Z"))
                .startsWith("2026-04-07T14:");
        assertThat(daily.count(millis("2026-04-01T00:00:00Z"), millis("2026-04-08T00:00:00Z"), 100))
                .isBetween(6, 9);
    }

    @Test
    void the_latest_of_many_slots_is_found() {
        CronSchedule schedule = CronSchedule.of("job", "0 0 3 * * *", "UTC");

        assertThat(latest(schedule, "2026-01-01T00:00:00Z", "2026-11-23T12:00:00Z"))
                .isEqualTo("2026-11-23T03:00:00Z");
        assertThat(latest(schedule, "2026-11-23T03:00:00Z", "2026-11-23T03:00:00Z"))
                .isEqualTo("2026-11-23T03:00:00Z");
        assertThat(schedule.latest(millis("2026-11-23T03:00:01Z"), millis("2026-11-23T12:00:00Z")))
                .isNull();
        assertThat(schedule.latest(millis("2026-11-23T12:00:00Z"), millis("2026-11-23T03:00:00Z")))
                .isNull();
    }

    @Test
    void slots_are_counted_up_to_a_bound() {
        CronSchedule schedule = CronSchedule.of("job", "* * * * * *", "UTC");
        long noon = millis("2026-11-23T12:00:00Z");

        assertThat(schedule.count(noon, noon + 5000, 100)).isEqualTo(5);
        assertThat(schedule.count(noon, noon + 3_600_000, 100)).isEqualTo(100);
        assertThat(schedule.count(noon, noon - 1, 100)).isZero();
    }

    @Test
    void a_schedule_that_names_no_more_slots_has_none() {
        CronSchedule never = CronSchedule.of("job", "0 0 0 31 2 *", "UTC");

        assertThat(never.next(0)).isEqualTo(ScheduleSlots.NEVER);
        assertThat(never.latest(0, millis("2026-11-23T12:00:00Z"))).isNull();
    }

    @Test
    void the_trigger_of_a_task_tells_which_schedule_it_is() {
        CronSchedule berlin = CronSchedule.of("job", "0 30 2 * * *", "Europe/Berlin");

        assertThat(berlin.isNamedBy(
                        CronSchedule.of("job", "0 30 2 * * *", "Europe/Berlin").trigger()))
                .isTrue();
        assertThat(berlin.isNamedBy(new CronTrigger("0 31 2 * * *"))).isFalse();
        assertThat(berlin.name()).isEqualTo("job [0 30 2 * * * Europe/Berlin]");
    }

    private static String next(CronSchedule schedule, String after) {
        return Instant.ofEpochMilli(schedule.next(millis(after))).toString();
    }

    private static String latest(CronSchedule schedule, String from, String to) {
        Long slot = schedule.latest(millis(from), millis(to));
        return slot == null ? "none" : Instant.ofEpochMilli(slot).toString();
    }

    private static long millis(String time) {
        return Instant.parse(time).toEpochMilli();
    }

    @Test
    void a_schedule_that_is_written_otherwise_is_the_same() {
        CronSchedule schedule = CronSchedule.of("reports", "0 0 * * * *", "Etc/UTC");

        for (String same : List.of(
                schedule.name(), "reports [0  0 0/1 * * * GMT]", "reports [@hourly UTC]", "reports [0 0 * ? * * Z]")) {
            assertThat(schedule.isSame(same)).as(same).isTrue();
        }
        for (String other : List.of(
                "reports [0 1 * * * * UTC]",
                "reports [0 0 * * * * Europe/Berlin]",
                "others [0 0 * * * * UTC]",
                "reports [x] [0 0 * * * * UTC]",
                "reports [0 0 * * * * Nowhere]",
                "reports [UTC]",
                "reports")) {
            assertThat(schedule.isSame(other)).as(other).isFalse();
        }
    }
}
