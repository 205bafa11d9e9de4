package dev.election.quartz.internal.trigger;

import java.util.Date;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.quartz.Calendar;
import org.quartz.CronTrigger;
import org.quartz.SimpleTrigger;
import org.quartz.impl.triggers.SimpleTriggerImpl;
import org.quartz.spi.OperableTrigger;

/**
 * The slots of a trigger, whatever has become of it.
 *
 * @param trigger as it is defined; neither changed nor scheduled
 * @param calendar the times it leaves out, {@code null} if none
 */
public record Schedule(OperableTrigger trigger, @Nullable Calendar calendar) {

    /** The first slot at that time or later, {@code null} if there is none. */
    @Nullable
    public Date firstFrom(long time) {
        OperableTrigger copy = untouched();
        if (copy instanceof CronTrigger && Times.millis(copy.getStartTime()) > time) {
            // It began with this process, but its slots are those of every node, and earlier leaders had earlier ones.
            copy.setStartTime(Times.date(time));
        }
        Date slot = copy.getFireTimeAfter(Times.date(time - 1));
        while (slot != null && (Times.millis(slot) < time || isLeftOut(slot))) {
            slot = copy.getFireTimeAfter(slot);
        }
        return slot;
    }

    /** The slots from that one on and before the other, as far as they are worth counting. */
    public Missed missed(Date first, long end) {
        Missed missed = missed(Times.millis(first), end, slot -> false);
        return missed == null ? new Missed(0, first, first) : missed;
    }

    /** The slots from that time on and before the other but for some, as far as they are worth counting; {@code null} if there is none. */
    @Nullable
    public Missed missed(long from, long end, LongPredicate leftOut) {
        int count = 0;
        Date first = null;
        Date last = null;
        for (Date slot = firstFrom(from);
                slot != null && Times.millis(slot) < end && count < Missed.MOST;
                slot = firstFrom(Times.millis(slot) + 1)) {
            if (!leftOut.test(Times.millis(slot))) {
                count++;
                first = first == null ? slot : first;
                last = slot;
            }
        }
        return first == null || last == null ? null : new Missed(count, first, last);
    }

    /** A trigger that fires the slots from that one on and before the other, by its own misfire instruction. */
    public OperableTrigger between(Date first, long end) {
        OperableTrigger part = untouched();
        part.setStartTime(first);
        part.setPreviousFireTime(null);
        if (!(part instanceof SimpleTriggerImpl simple)) {
            part.setEndTime(Times.date(end - 1));
        } else if (firesNowIfMissed(simple)) {
            simple.setRepeatCount(0);
            simple.setMisfireInstruction(SimpleTrigger.MISFIRE_INSTRUCTION_FIRE_NOW);
        } else if (simple.getRepeatCount() == SimpleTrigger.REPEAT_INDEFINITELY) {
            simple.setEndTime(Times.date(end));
        } else {
            simple.setRepeatCount(slotsBetween(simple, Times.millis(first), end) - 1);
        }
        return part;
    }

    /** The trigger as it would be if it began with that slot. */
    public OperableTrigger startingWith(Date slot) {
        OperableTrigger rest = untouched();
        if (rest instanceof SimpleTriggerImpl simple && simple.getRepeatCount() > 0) {
            simple.setRepeatCount(simple.getRepeatCount()
                    - slotsBetween(simple, Times.millis(simple.getStartTime()), Times.millis(slot)));
        }
        rest.setStartTime(slot);
        rest.setPreviousFireTime(null);
        return rest;
    }

    private OperableTrigger untouched() {
        OperableTrigger copy = (OperableTrigger) trigger.clone();
        if (copy instanceof SimpleTriggerImpl simple) {
            simple.setTimesTriggered(0);
        }
        return copy;
    }

    /** Whether a trigger without an end begins anew at once after a misfire, so that a single firing stands for the missed slots. */
    private static boolean firesNowIfMissed(SimpleTrigger simple) {
        int instruction = simple.getMisfireInstruction();
        return simple.getRepeatCount() == SimpleTrigger.REPEAT_INDEFINITELY
                && (instruction == SimpleTrigger.MISFIRE_INSTRUCTION_FIRE_NOW
                        || instruction == SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT
                        || instruction == SimpleTrigger.MISFIRE_INSTRUCTION_RESCHEDULE_NOW_WITH_REMAINING_REPEAT_COUNT);
    }

    /** How many slots there are from the first one on and before the end. */
    private static int slotsBetween(SimpleTrigger simple, long first, long end) {
        if (end <= first) {
            return 0;
        }
        return simple.getRepeatCount() == 0 ? 1 : (int) ((end - 1 - first) / simple.getRepeatInterval() + 1);
    }

    private boolean isLeftOut(Date slot) {
        return calendar != null && !calendar.isTimeIncluded(Times.millis(slot));
    }
}
