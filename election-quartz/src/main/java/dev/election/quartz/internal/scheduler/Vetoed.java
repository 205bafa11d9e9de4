package dev.election.quartz.internal.scheduler;

import dev.election.quartz.internal.trigger.Times;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.TriggerKey;
import org.quartz.spi.OperableTrigger;

/**
 * The last firings of triggers, vetoed on this node. Quartz forgets a trigger with its last firing, and with it a job that nothing
 * else keeps; all earlier slots can be told from the trigger itself.
 */
public final class Vetoed {

    /** Limit for the firings that are remembered. */
    private static final int MOST = 10_000;

    private final long retention;

    /** The earliest first. Guarded by this. */
    private final Map<TriggerKey, Last> firings = new LinkedHashMap<>();

    /**
     * @param retention how long to remember them, in milliseconds
     */
    Vetoed(long retention) {
        this.retention = retention;
    }

    /** Remembers a vetoed firing, which may turn out to be fired after all. */
    public synchronized void add(JobExecutionContext context, String election) {
        Last last = new Last(
                context.getJobDetail(),
                (OperableTrigger) context.getTrigger(),
                Times.millis(context.getScheduledFireTime()),
                election);
        TriggerKey key = context.getTrigger().getKey();
        firings.remove(key);
        firings.put(key, last);
        firings.values().removeIf(earlier -> earlier.slot < last.slot - retention);
        if (firings.size() > MOST) {
            firings.remove(firings.keySet().iterator().next());
        }
    }

    /** Forgets a slot that is fired after all. */
    public synchronized void remove(TriggerKey key, long slot) {
        Last last = firings.get(key);
        if (last != null && last.slot == slot) {
            firings.remove(key);
        }
    }

    /** The last firing of that trigger, if it was guarded by that election. */
    public synchronized @Nullable Last find(TriggerKey key, String election) {
        Last last = firings.get(key);
        return last != null && last.election.equals(election) ? last : null;
    }

    /** The triggers whose last firing was guarded by that election. */
    public synchronized List<TriggerKey> of(String election) {
        List<TriggerKey> keys = new ArrayList<>();
        firings.forEach((key, last) -> {
            if (last.election.equals(election)) {
                keys.add(key);
            }
        });
        return keys;
    }

    /**
     * A last firing.
     *
     * @param job the job that would have run
     * @param trigger as it was when it fired
     * @param slot when it was scheduled
     * @param election the election that guards the job
     */
    public record Last(JobDetail job, OperableTrigger trigger, long slot, String election) {}
}
