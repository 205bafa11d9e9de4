package dev.election.quartz.internal.trigger;

import dev.election.jobs.slots.ScheduleSlots;
import dev.election.quartz.internal.rules.QuartzData;
import java.util.Date;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/**
 * A firing, as the ledger knows it.
 *
 * @param trigger the trigger whose slot it is; another one than the firing one unless the firing is regular
 * @param by the trigger that fires
 * @param slot when it was scheduled
 * @param previous the slot for which the one that fires was fired before, {@code null} if there is none
 * @param next the next slot of the one that fires, or {@link ScheduleSlots#NEVER}
 * @param kind why it takes place
 */
public record Firing(TriggerKey trigger, TriggerKey by, long slot, @Nullable Long previous, long next, Kind kind) {

    public static Firing of(JobExecutionContext context) {
        Trigger fired = context.getTrigger();
        Date previous = context.getPreviousFireTime();
        Date next = context.getNextFireTime();
        Kind kind = Kind.of(fired);
        return new Firing(
                switch (kind) {
                    case REGULAR -> fired.getKey();
                    case CATCH_UP -> missed(fired);
                    case HANDED_BACK -> handedBack(fired);
                    case RECOVERY -> original(fired);
                },
                fired.getKey(),
                kind == Kind.RECOVERY ? originalSlot(context) : Times.millis(context.getScheduledFireTime()),
                previous == null ? null : Times.millis(previous),
                next == null ? ScheduleSlots.NEVER : Times.millis(next),
                kind);
    }

    /** The trigger whose slots that one catches up. */
    public static TriggerKey missed(Trigger catchUp) {
        JobDataMap data = catchUp.getJobDataMap();
        return new TriggerKey(
                data.getString(QuartzData.MISSED_TRIGGER_NAME), data.getString(QuartzData.MISSED_TRIGGER_GROUP));
    }

    /** The trigger whose slot was handed back; by a node of an earlier version, which does not name it, the one that fires. */
    private static TriggerKey handedBack(Trigger again) {
        return again.getJobDataMap().containsKey(QuartzData.MISSED_TRIGGER_NAME) ? missed(again) : again.getKey();
    }

    private static TriggerKey original(Trigger recovery) {
        JobDataMap data = recovery.getJobDataMap();
        return data.containsKey(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_NAME)
                ? new TriggerKey(
                        data.getString(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_NAME),
                        data.getString(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_GROUP))
                : recovery.getKey();
    }

    private static long originalSlot(JobExecutionContext context) {
        JobDataMap data = context.getTrigger().getJobDataMap();
        String slot = data.getString(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS);
        return slot == null ? Times.millis(context.getScheduledFireTime()) : Long.parseLong(slot);
    }

    /** Ledger name of the schedule. */
    public String schedule() {
        return LedgerNames.schedule(trigger);
    }

    public boolean isLast() {
        return next == ScheduleSlots.NEVER;
    }

    public enum Kind {
        /** The time of the slot has come. */
        REGULAR,
        /** The slot was missed. */
        CATCH_UP,
        /** A node that did not lead any more has left the slot to its successor, in a store that both share. */
        HANDED_BACK,
        /** An earlier leader has died while the job ran. */
        RECOVERY;

        public static Kind of(Trigger trigger) {
            return switch (trigger.getKey().getGroup()) {
                case QuartzData.CATCH_UP_GROUP -> CATCH_UP;
                case QuartzData.HANDED_BACK_GROUP -> HANDED_BACK;
                case Scheduler.DEFAULT_RECOVERY_GROUP -> RECOVERY;
                default -> REGULAR;
            };
        }
    }
}
