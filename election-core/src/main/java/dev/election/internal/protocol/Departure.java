package dev.election.internal.protocol;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.LossReason;
import java.time.Duration;

/**
 * Why and how this node gives leadership up.
 *
 * @param reason stopped or abdicated
 * @param drainUntil when running work is no longer waited for
 * @param how what was asked for: who may take over at first, and how long the node cools down afterwards
 */
public record Departure(LossReason reason, long drainUntil, Abdication how) {

    public static Departure stop(long drainUntil) {
        return new Departure(LossReason.STOPPED, drainUntil, withoutCooldown(Abdication.toAnyone()));
    }

    public static Departure abdication(long drainUntil, Abdication how) {
        return new Departure(LossReason.ABDICATED, drainUntil, how);
    }

    /** Started again before the stop was through: leaves, and comes back at once. */
    public Departure turnedIntoReturn() {
        return new Departure(LossReason.ABDICATED, drainUntil, withoutCooldown(how));
    }

    /** The same, and out for as long as whoever has evicted this node wants it to be. */
    public Departure coolingDownFor(Duration atLeast) {
        return how.cooldown().compareTo(atLeast) >= 0
                ? this
                : new Departure(reason, drainUntil, how.coolingDownFor(Election.bounded(atLeast)));
    }

    public boolean isFinal() {
        return reason == LossReason.STOPPED;
    }

    /** The same as the end of all taking part, waiting no longer than either. */
    public Departure turnedIntoStop(long until) {
        return new Departure(LossReason.STOPPED, Math.min(drainUntil, until), withoutCooldown(how));
    }

    private static Abdication withoutCooldown(Abdication how) {
        return how.coolingDownFor(Duration.ZERO);
    }
}
