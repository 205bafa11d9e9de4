package dev.election.internal.protocol;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.LossReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why and how this node gives leadership up.
 *
 * @param goal what this node does afterwards
 * @param drainUntil when running work is no longer waited for
 * @param how what was asked for: who may take over at first, and how long the node cools down afterwards
 * @param isOptional whether this node keeps leadership if its running work takes longer than that
 */
public record Departure(Goal goal, long drainUntil, Abdication how, boolean isOptional) {

    /** What a node does after a departure. */
    public enum Goal {
        STOP,
        RETURN,
        OBSERVE
    }

    Departure(Goal goal, long drainUntil, Abdication how) {
        this(goal, drainUntil, how, false);
    }

    /** For reasons of the node's own: it keeps leadership if its running work takes longer. */
    public static Departure handOver(long drainUntil, Abdication how) {
        return new Departure(Goal.RETURN, drainUntil, how, true);
    }

    public static Departure stop(long drainUntil) {
        return new Departure(Goal.STOP, drainUntil, withoutCooldown(Abdication.toAnyone()));
    }

    public static Departure abdication(long drainUntil, Abdication how) {
        return new Departure(Goal.RETURN, drainUntil, how);
    }

    /**
     * To be an observer.
     *
     * @param requestedBy who has ordered that, {@code null} if it is the role of the node
     */
    public static Departure toObserve(long drainUntil, @Nullable String requestedBy) {
        return new Departure(
                Goal.OBSERVE, drainUntil, withoutCooldown(Abdication.toAnyone()).requestedBy(requestedBy));
    }

    /** A candidate again before the departure was through: leaves, and comes back at once. */
    public Departure turnedIntoReturn() {
        return new Departure(Goal.RETURN, drainUntil, ordered());
    }

    /**
     * The same without coming back.
     *
     * @param requestedBy who has ordered that, {@code null} if it is the role of the node
     */
    public Departure turnedIntoObserving(@Nullable String requestedBy) {
        Abdication ordered = ordered();
        return new Departure(
                Goal.OBSERVE, drainUntil, requestedBy == null ? ordered : ordered.requestedBy(requestedBy));
    }

    /** The same, and out for as long as whoever has evicted this node wants it to be. */
    public Departure coolingDownFor(Duration atLeast) {
        return how.cooldown().compareTo(atLeast) >= 0
                ? this
                : new Departure(goal, drainUntil, how.coolingDownFor(Election.bounded(atLeast)), isOptional);
    }

    /** Stopped, handed over by itself, or abdicated. */
    public LossReason reason() {
        if (isFinal()) {
            return LossReason.STOPPED;
        }
        return isOptional ? LossReason.PREEMPTED : LossReason.ABDICATED;
    }

    public boolean isFinal() {
        return goal == Goal.STOP;
    }

    public boolean isToReturn() {
        return goal == Goal.RETURN;
    }

    public boolean isToObserve() {
        return goal == Goal.OBSERVE;
    }

    /** The same as the end of all taking part, waiting no longer than either. */
    public Departure turnedIntoStop(long until) {
        return new Departure(Goal.STOP, Math.min(drainUntil, until), ordered());
    }

    /** For another reason than that of this node's own. */
    private Abdication ordered() {
        return withoutCooldown(isOptional ? how.requestedBy(null) : how);
    }

    private static Abdication withoutCooldown(Abdication how) {
        return how.coolingDownFor(Duration.ZERO);
    }
}
