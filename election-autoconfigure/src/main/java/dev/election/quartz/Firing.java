package dev.election.quartz;

import java.util.Date;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/**
 * A firing, as the ledgers know it.
 *
 * @param trigger whose slot it is, which is another than the one that fires if it was missed before
 * @param by the trigger that fires
 * @param slot when it was scheduled
 * @param next the next slot of the one that fires, or {@link SlotLedger#NEVER}
 * @param kind why it takes place
 */
record Firing(TriggerKey trigger, TriggerKey by, long slot, long next, Kind kind) {

    static Firing of(JobExecutionContext context) {
        Trigger fired = context.getTrigger();
        Date next = context.getNextFireTime();
        Kind kind = Kind.of(fired);
        return new Firing(
                kind == Kind.CATCH_UP ? missed(fired) : fired.getKey(),
                fired.getKey(),
                Times.millis(context.getScheduledFireTime()),
                next == null ? SlotLedger.NEVER : Times.millis(next),
                kind);
    }

    /** Whose slots that trigger catches up. */
    static TriggerKey missed(Trigger catchUp) {
        JobDataMap data = catchUp.getJobDataMap();
        return new TriggerKey(
                data.getString(QuartzData.MISSED_TRIGGER_NAME), data.getString(QuartzData.MISSED_TRIGGER_GROUP));
    }

    boolean isLast() {
        return next == SlotLedger.NEVER;
    }

    enum Kind {
        /** Its time has come. */
        REGULAR,
        /** It was missed. */
        CATCH_UP,
        /** An earlier leader has died over it. */
        RECOVERY;

        static Kind of(Trigger trigger) {
            return switch (trigger.getKey().getGroup()) {
                case QuartzData.CATCH_UP_GROUP -> CATCH_UP;
                case org.quartz.Scheduler.DEFAULT_RECOVERY_GROUP -> RECOVERY;
                default -> REGULAR;
            };
        }
    }
}
