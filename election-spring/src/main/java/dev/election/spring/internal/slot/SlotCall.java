package dev.election.spring.internal.slot;

import dev.election.jobs.engine.ClaimedSlot;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.Trigger;

/**
 * The call of a scheduled method for one slot, from the scheduler to the guard of that method, which takes it from the thread.
 *
 * @param trigger that named the slot
 * @param slot in milliseconds since 1970
 * @param kind why it is run now
 * @param claimed the slot if it was claimed before the call, {@code null} if the guard has to claim it
 */
public record SlotCall(Trigger trigger, long slot, Kind kind, @Nullable ClaimedSlot claimed) {

    private static final ThreadLocal<@Nullable SlotCall> CURRENT = new ThreadLocal<>();

    /** Makes the call on this thread. */
    public void make(Runnable method) {
        SlotCall before = CURRENT.get();
        CURRENT.set(this);
        try {
            method.run();
        } finally {
            CURRENT.set(before);
        }
    }

    /** The call that this thread makes for a slot of such a trigger, {@code null} if it makes none. To be taken once. */
    public static @Nullable SlotCall take(Predicate<Trigger> triggers) {
        SlotCall call = CURRENT.get();
        if (call == null || !triggers.test(call.trigger)) {
            return null;
        }
        CURRENT.remove();
        return call;
    }

    /** Why a slot is run now. */
    public enum Kind {
        /** The time of the slot has come. */
        DUE,
        /** No leader has run the slot at its time. */
        MISSED,
        /** An earlier leader has begun to run the slot, and ended before the run did. */
        INTERRUPTED,
        /** An earlier leader has claimed the slot, and it is not known to have begun. */
        CLAIMED;

        /** Whether the slot may have been run before. */
        public boolean isRerun() {
            return this == INTERRUPTED || this == CLAIMED;
        }
    }
}
