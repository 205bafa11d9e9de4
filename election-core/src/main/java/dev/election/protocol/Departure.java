package dev.election.protocol;

import dev.election.LossReason;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Why and how this node gives leadership up.
 *
 * @param reason stopped or abdicated
 * @param drainUntil when running work is no longer waited for
 * @param cooldown how long the node stays out afterwards, in nanoseconds
 * @param successor the only node that may take over at first
 * @param reserve how long it is kept for the successor
 */
public record Departure(
        LossReason reason, long drainUntil, long cooldown, @Nullable String successor, Duration reserve) {

    public static Departure stop(long drainUntil) {
        return new Departure(LossReason.STOPPED, drainUntil, 0, null, Duration.ZERO);
    }

    /** Started again before the stop was through: leaves, and comes back at once. */
    public Departure turnedIntoReturn() {
        return new Departure(LossReason.ABDICATED, drainUntil, 0, successor, reserve);
    }

    /** The same, and out for as long as whoever has evicted this node wants it to be. */
    public Departure coolingDownFor(Duration atLeast) {
        return new Departure(reason, drainUntil, Math.max(cooldown, atLeast.toNanos()), successor, reserve);
    }

    public boolean isFinal() {
        return reason == LossReason.STOPPED;
    }

    /** The same as the end of all taking part, waiting no longer than either. */
    public Departure turnedIntoStop(long until) {
        return new Departure(LossReason.STOPPED, Math.min(drainUntil, until), 0, successor, reserve);
    }
}
