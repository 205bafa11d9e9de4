package dev.election.quartz.internal.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.ScheduleBuilder;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;

class MisfireInstructionTest {

    @Test
    void has_the_name_that_quartz_gives_it() {
        assertThat(name(cron())).isEqualTo("SMART_POLICY (FIRE_ONCE_NOW)");
        assertThat(name(cron().withMisfireHandlingInstructionFireAndProceed())).isEqualTo("FIRE_ONCE_NOW");
        assertThat(name(cron().withMisfireHandlingInstructionDoNothing())).isEqualTo("DO_NOTHING");
        assertThat(name(cron().withMisfireHandlingInstructionIgnoreMisfires())).isEqualTo("IGNORE_MISFIRE_POLICY");
        assertThat(name(SimpleScheduleBuilder.repeatSecondlyForever()))
                .isEqualTo("SMART_POLICY (RESCHEDULE_NEXT_WITH_REMAINING_COUNT)");
        assertThat(name(SimpleScheduleBuilder.repeatSecondlyForTotalCount(3)))
                .isEqualTo("SMART_POLICY (RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT)");
        assertThat(name(SimpleScheduleBuilder.simpleSchedule())).isEqualTo("SMART_POLICY (FIRE_NOW)");
        assertThat(name(SimpleScheduleBuilder.repeatSecondlyForever()
                        .withMisfireHandlingInstructionNextWithExistingCount()))
                .isEqualTo("RESCHEDULE_NEXT_WITH_EXISTING_COUNT");
    }

    @Test
    void says_what_becomes_of_the_slots() {
        assertThat(MisfireInstruction.effect(trigger(cron().withMisfireHandlingInstructionIgnoreMisfires())))
                .isEqualTo("each of them is fired");
        assertThat(MisfireInstruction.effect(trigger(SimpleScheduleBuilder.simpleSchedule())))
                .isEqualTo("one firing for all slots of a trigger");
        assertThat(MisfireInstruction.effect(trigger(cron()))).contains("org.quartz.jobStore.misfireThreshold");
    }

    private static String name(ScheduleBuilder<?> schedule) {
        return MisfireInstruction.name(trigger(schedule));
    }

    private static Trigger trigger(ScheduleBuilder<?> schedule) {
        return TriggerBuilder.newTrigger().withSchedule(schedule).build();
    }

    private static CronScheduleBuilder cron() {
        return CronScheduleBuilder.cronSchedule("* * * * * ?");
    }
}
