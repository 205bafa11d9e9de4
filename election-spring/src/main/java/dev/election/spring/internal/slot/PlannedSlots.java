package dev.election.spring.internal.slot;

import java.time.Clock;
import java.time.Instant;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.TriggerContext;

/** A trigger that remembers the slots which it has named and nothing has run yet. */
final class PlannedSlots implements Trigger {

    /** Limit for the remembered slots: a run that the scheduler has dropped never asks for its slot. */
    private static final int REMEMBERED = 64;

    private final Trigger trigger;

    /** The slots that were named and not run. Guarded by this. */
    private final TreeSet<Instant> planned = new TreeSet<>();

    /** The clock by which the slots are reached. */
    private volatile Clock clock = Clock.systemUTC();

    PlannedSlots(Trigger trigger) {
        this.trigger = trigger;
    }

    /** The clock of the scheduler, once it has asked for a slot. */
    Clock clock() {
        return clock;
    }

    Trigger trigger() {
        return trigger;
    }

    @Override
    public @Nullable Instant nextExecution(TriggerContext context) {
        clock = context.getClock();
        Instant next = trigger.nextExecution(context);
        if (next != null) {
            plan(next);
        }
        return next;
    }

    /**
     * The slot of a run that begins now, {@code null} if none is known. A scheduler with many threads may have planned the next slot already;
     * of several that are due the latest is taken, since the run of an earlier one may have been dropped.
     */
    synchronized @Nullable Instant take(Instant now) {
        Instant slot = planned.floor(now);
        if (slot == null && !planned.isEmpty()) {
            // The clock has been set back, or it is a moment before the slot.
            slot = planned.first();
        }
        if (slot != null) {
            planned.remove(slot);
        }
        return slot;
    }

    private synchronized void plan(Instant slot) {
        planned.add(slot);
        if (planned.size() > REMEMBERED) {
            planned.pollFirst();
        }
    }
}
