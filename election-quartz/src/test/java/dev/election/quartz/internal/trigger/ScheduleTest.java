package dev.election.quartz.internal.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;
import org.quartz.Calendar;
import org.quartz.CalendarIntervalScheduleBuilder;
import org.quartz.CronScheduleBuilder;
import org.quartz.DailyTimeIntervalScheduleBuilder;
import org.quartz.ScheduleBuilder;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.calendar.CronCalendar;
import org.quartz.spi.OperableTrigger;

/** The slots of triggers of all kinds. */
class ScheduleTest {

    private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

    @Test
    void a_cron_trigger_has_slots_before_it_was_made_since_earlier_leaders_had_them() {
        Schedule schedule = schedule("12:30:00", cron());

        assertThat(schedule.firstFrom(time("10:00:01"))).isEqualTo("2030-01-01T11:00:00Z");
        assertThat(schedule.firstFrom(time("11:00:00"))).isEqualTo("2030-01-01T11:00:00Z");
        assertThat(schedule.firstFrom(time("12:59:59"))).isEqualTo("2030-01-01T13:00:00Z");
    }

    @Test
    void any_other_trigger_begins_when_it_begins() {
        assertThat(schedule("12:30:00", SimpleScheduleBuilder.repeatHourlyForever())
                        .firstFrom(time("10:00:00")))
                .isEqualTo("2030-01-01T12:30:00Z");
        assertThat(schedule(
                                "12:30:00",
                                CalendarIntervalScheduleBuilder.calendarIntervalSchedule()
                                        .withIntervalInHours(1))
                        .firstFrom(time("13:31:00")))
                .isEqualTo("2030-01-01T14:30:00Z");
        assertThat(schedule(
                                "12:30:00",
                                DailyTimeIntervalScheduleBuilder.dailyTimeIntervalSchedule()
                                        .withIntervalInMinutes(10))
                        .firstFrom(time("12:30:00")))
                .isAfterOrEqualTo("2030-01-01T12:30:00Z");
    }

    @Test
    void missed_slots_are_counted_from_before_the_trigger_was_made_and_not_for_ever() {
        Date first = new Date(time("10:00:00"));

        assertThat(schedule("12:30:00", cron()).missed(first, time("14:00:00")))
                .isEqualTo(new Missed(4, first, new Date(time("13:00:00"))))
                .hasToString("the 4 slots from 2030-01-01T10:00:00Z to 2030-01-01T13:00:00Z");
        assertThat(schedule("12:30:00", cron()).missed(first, time("10:30:00")))
                .hasToString("the slot 2030-01-01T10:00:00Z");
        assertThat(schedule("10:00:00", SimpleScheduleBuilder.repeatSecondlyForever())
                        .missed(first, time("14:00:00")))
                .hasToString("the at least 1000 slots from 2030-01-01T10:00:00Z to 2030-01-01T10:16:39Z");
    }

    @Test
    void a_trigger_that_has_fired_all_its_slots_still_has_them() {
        OperableTrigger trigger = trigger(
                "12:00:00",
                SimpleScheduleBuilder.simpleSchedule().withIntervalInMinutes(1).withRepeatCount(2));
        trigger.computeFirstFireTime(null);
        while (trigger.getNextFireTime() != null) {
            trigger.triggered(null);
        }

        assertThat(new Schedule(trigger, null).firstFrom(time("12:00:30"))).isEqualTo("2030-01-01T12:01:00Z");
        assertThat(new Schedule(trigger, null).firstFrom(time("12:02:01"))).isNull();
    }

    @Test
    void times_that_a_calendar_leaves_out_are_no_slots() throws Exception {
        CronCalendar noon = new CronCalendar(null, "* * 12-13 * * ?", UTC);

        assertThat(new Schedule(trigger("00:00:00", cron()), noon).firstFrom(time("12:00:00")))
                .isEqualTo("2030-01-01T14:00:00Z");
    }

    @Test
    void a_part_has_the_slots_from_the_first_to_the_end_and_none_else() {
        assertThat(slots(schedule("12:00:00", cron()), "14:00:00", "17:00:00"))
                .containsExactly(time("14:00:00"), time("15:00:00"), time("16:00:00"));
        assertThat(slots(schedule("12:00:00", SimpleScheduleBuilder.repeatHourlyForever()), "14:00:00", "16:00:00"))
                .containsExactly(time("14:00:00"), time("15:00:00"));
        assertThat(slots(
                        schedule("12:00:00", SimpleScheduleBuilder.repeatHourlyForTotalCount(10)),
                        "14:00:00",
                        "16:00:01"))
                .containsExactly(time("14:00:00"), time("15:00:00"), time("16:00:00"));
        assertThat(slots(schedule("12:00:00", SimpleScheduleBuilder.simpleSchedule()), "12:00:00", "12:00:01"))
                .containsExactly(time("12:00:00"));
        assertThat(slots(
                        schedule(
                                "12:00:00",
                                CalendarIntervalScheduleBuilder.calendarIntervalSchedule()
                                        .withIntervalInHours(1)),
                        "13:00:00",
                        "15:00:00"))
                .containsExactly(time("13:00:00"), time("14:00:00"));
    }

    @Test
    void a_part_of_one_that_would_begin_anew_at_once_has_one_slot() {
        Schedule schedule = schedule(
                "12:00:00",
                SimpleScheduleBuilder.repeatHourlyForever().withMisfireHandlingInstructionNowWithExistingCount());

        assertThat(slots(schedule, "13:00:00", "16:00:00")).containsExactly(time("13:00:00"));
        assertThat(schedule.between(date("13:00:00"), time("16:00:00")).getMisfireInstruction())
                .isEqualTo(SimpleTrigger.MISFIRE_INSTRUCTION_FIRE_NOW);
    }

    @Test
    void a_part_keeps_the_misfire_instruction_and_leaves_the_trigger_alone() {
        OperableTrigger trigger = trigger("12:00:00", cron().withMisfireHandlingInstructionDoNothing());
        trigger.computeFirstFireTime(null);
        OperableTrigger before = (OperableTrigger) trigger.clone();

        OperableTrigger part = new Schedule(trigger, null).between(date("13:00:00"), time("15:00:00"));

        assertThat(part.getMisfireInstruction()).isEqualTo(trigger.getMisfireInstruction());
        assertThat(trigger.getNextFireTime()).isEqualTo(before.getNextFireTime());
        assertThat(trigger.getStartTime()).isEqualTo(before.getStartTime());
        assertThat(trigger.getEndTime()).isNull();
    }

    @Test
    void a_trigger_that_starts_later_has_only_the_rest_of_its_slots() {
        Schedule schedule = schedule("12:00:00", SimpleScheduleBuilder.repeatHourlyForTotalCount(4));

        assertThat(all(schedule.startingWith(date("14:00:00")), null))
                .containsExactly(time("14:00:00"), time("15:00:00"));
        assertThat(all(schedule.startingWith(date("12:00:00")), null)).hasSize(4);
    }

    private static List<Long> slots(Schedule schedule, String first, String end) {
        return all(schedule.between(date(first), time(end)), schedule.calendar());
    }

    private static List<Long> all(OperableTrigger trigger, Calendar calendar) {
        List<Long> slots = new ArrayList<>();
        trigger.computeFirstFireTime(calendar);
        while (trigger.getNextFireTime() != null && slots.size() < 100) {
            slots.add(trigger.getNextFireTime().getTime());
            trigger.triggered(calendar);
        }
        return slots;
    }

    private static CronScheduleBuilder cron() {
        return CronScheduleBuilder.cronSchedule("0 0 * * * ?").inTimeZone(UTC);
    }

    private static Schedule schedule(String start, ScheduleBuilder<? extends Trigger> kind) {
        return new Schedule(trigger(start, kind), null);
    }

    private static OperableTrigger trigger(String start, ScheduleBuilder<? extends Trigger> kind) {
        return (OperableTrigger) TriggerBuilder.newTrigger()
                .withIdentity("trigger")
                .forJob("job")
                .startAt(date(start))
                .withSchedule(kind)
                .build();
    }

    private static Date date(String time) {
        return new Date(time(time));
    }

    private static long time(String time) {
        return Instant.parse("2030-01-01T" + time + "Z").toEpochMilli();
    }
}
