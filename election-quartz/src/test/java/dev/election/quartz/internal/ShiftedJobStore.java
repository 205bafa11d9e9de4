package dev.election.quartz.internal;

import java.util.Date;
import java.util.List;
import org.quartz.simpl.RAMJobStore;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredResult;

/**
 * A store in memory on a node whose clock goes wrong by a fixed time. Its triggers live by that clock; the thread that waits for
 * them lives by the machine's, so times are translated on their way to it and back.
 */
public final class ShiftedJobStore extends RAMJobStore {

    private long shift;

    /** How far the clock is ahead, in milliseconds. Called by Quartz. */
    public void setShift(long shift) {
        this.shift = shift;
    }

    /** The store compares the machine's clock, less this, with times by the node's clock. */
    @Override
    public long getMisfireThreshold() {
        return super.getMisfireThreshold() - shift;
    }

    @Override
    public List<OperableTrigger> acquireNextTriggers(long noLaterThan, int maxCount, long timeWindow) {
        List<OperableTrigger> acquired = super.acquireNextTriggers(noLaterThan + shift, maxCount, timeWindow);
        acquired.forEach(trigger -> move(trigger, -shift));
        return acquired;
    }

    @Override
    public List<TriggerFiredResult> triggersFired(List<OperableTrigger> triggers) {
        triggers.forEach(trigger -> move(trigger, shift));
        return super.triggersFired(triggers);
    }

    private static void move(OperableTrigger trigger, long by) {
        trigger.setNextFireTime(new Date(trigger.getNextFireTime().getTime() + by));
    }
}
