package dev.election.spring.internal.slot;

import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.Trigger;

/** The call of a scheduled method for one slot. The guard of that method takes the call from its thread and sets its outcome. */
public final class SlotCall {

    private static final ThreadLocal<@Nullable SlotCall> CURRENT = new ThreadLocal<>();

    private final Trigger trigger;
    private final long slot;
    private final Kind kind;

    /** Read and written by the thread that makes the call. */
    private Outcome outcome = new Unreached();

    /**
     * @param trigger that named the slot
     * @param slot in milliseconds since 1970
     * @param kind why it is run now
     */
    public SlotCall(Trigger trigger, long slot, Kind kind) {
        this.trigger = trigger;
        this.slot = slot;
        this.kind = kind;
    }

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

    public Trigger trigger() {
        return trigger;
    }

    public long slot() {
        return slot;
    }

    public Kind kind() {
        return kind;
    }

    public Outcome outcome() {
        return outcome;
    }

    public void outcome(Outcome reached) {
        outcome = reached;
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

    /** The outcome of a call. */
    public sealed interface Outcome {}

    /** No guard was asked, or the node does not lead. */
    public record Unreached() implements Outcome {}

    /** The slot was run before, or is run by another thread. */
    public record RunBefore() implements Outcome {}

    /** The slots that were missed are run first, this one among them. */
    public record TooEarly() implements Outcome {}

    /** The store did not answer, or refused: the slot was not run. */
    public record Unanswered() implements Outcome {}

    /**
     * The method was called.
     *
     * @param ended completed when its work has ended, and that was recorded
     */
    public record Begun(CompletionStage<Void> ended) implements Outcome {}
}
