package dev.election.internal.protocol;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.LossReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The way in which this node gives leadership up.
 *
 * @param goal the state of this node afterwards
 * @param drainUntil when the wait for running work ends
 * @param how the request: the successor, and the time for which the node cools down afterwards
 * @param isOptional whether this node keeps leadership if its running work takes longer than that
 */
public record Departure(Goal goal, long drainUntil, Abdication how, boolean isOptional) {

    /** State of a node after a departure. */
    public enum Goal {
        STOP,
        RETURN,
        OBSERVE
    }

    Departure(Goal goal, long drainUntil, Abdication how) {
        this(goal, drainUntil, how, false);
    }

    /** Returns a departure that nobody has requested: the node keeps leadership if its running work takes longer. */
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
     * Returns a departure after which the node is an observer.
     *
     * @param requestedBy the requester of that, {@code null} if it is the assigned role of the node
     */
    public static Departure toObserve(long drainUntil, @Nullable String requestedBy) {
        return new Departure(
                Goal.OBSERVE, drainUntil, withoutCooldown(Abdication.toAnyone()).requestedBy(requestedBy));
    }

    /** Makes the node a candidate again: it still leaves, and comes back at once. */
    public Departure turnedIntoReturn() {
        return new Departure(Goal.RETURN, drainUntil, ordered());
    }

    /**
     * Makes the node an observer afterwards.
     *
     * @param requestedBy the requester of that, {@code null} if it is the assigned role of the node
     */
    public Departure turnedIntoObserving(@Nullable String requestedBy) {
        Abdication ordered = ordered();
        return new Departure(
                Goal.OBSERVE, drainUntil, requestedBy == null ? ordered : ordered.requestedBy(requestedBy));
    }

    /** Lets the node cool down for that time at least, as the eviction of this node demands. */
    public Departure coolingDownFor(Duration atLeast) {
        return how.cooldown().compareTo(atLeast) >= 0
                ? this
                : new Departure(goal, drainUntil, how.coolingDownFor(Election.bounded(atLeast)), isOptional);
    }

    /** Returns the reason for the end of the leadership. */
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

    /** Stops the node afterwards. The wait for running work ends at the earlier of the two times. */
    public Departure turnedIntoStop(long until) {
        return new Departure(Goal.STOP, Math.min(drainUntil, until), ordered());
    }

    /** Returns the request without a cooldown, and without the reason of an optional departure, which no longer holds. */
    private Abdication ordered() {
        return withoutCooldown(isOptional ? how.requestedBy(null) : how);
    }

    private static Abdication withoutCooldown(Abdication how) {
        return how.coolingDownFor(Duration.ZERO);
    }
}
