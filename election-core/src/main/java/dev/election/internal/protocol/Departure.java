package dev.election.internal.protocol;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.LossReason;
import java.time.Duration;

/**
 * Why and how this node gives leadership up.
 *
 * @param goal what this node does afterwards
 * @param drainUntil when running work is no longer waited for
 * @param how what was asked for: who may take over at first, and how long the node cools down afterwards
 */
public record Departure(Goal goal, long drainUntil, Abdication how) {

    /** What a node does after a departure. */
    public enum Goal {
        STOP,
        RETURN,
        OBSERVE
    }

    public static Departure stop(long drainUntil) {
        return new Departure(Goal.STOP, drainUntil, withoutCooldown(Abdication.toAnyone()));
    }

    public static Departure abdication(long drainUntil, Abdication how) {
        return new Departure(Goal.RETURN, drainUntil, how);
    }

    public static Departure toObserve(long drainUntil) {
        return new Departure(Goal.OBSERVE, drainUntil, withoutCooldown(Abdication.toAnyone()));
    }

    /** A candidate again before the departure was through: leaves, and comes back at once. */
    public Departure turnedIntoReturn() {
        return new Departure(Goal.RETURN, drainUntil, withoutCooldown(how));
    }

    /** The same without coming back. */
    public Departure turnedIntoObserving() {
        return new Departure(Goal.OBSERVE, drainUntil, withoutCooldown(how));
    }

    /** The same, and out for as long as whoever has evicted this node wants it to be. */
    public Departure coolingDownFor(Duration atLeast) {
        return how.cooldown().compareTo(atLeast) >= 0
                ? this
                : new Departure(goal, drainUntil, how.coolingDownFor(Election.bounded(atLeast)));
    }

    /** Stopped or abdicated. */
    public LossReason reason() {
        return isFinal() ? LossReason.STOPPED : LossReason.ABDICATED;
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
        return new Departure(Goal.STOP, Math.min(drainUntil, until), withoutCooldown(how));
    }

    private static Abdication withoutCooldown(Abdication how) {
        return how.coolingDownFor(Duration.ZERO);
    }
}
