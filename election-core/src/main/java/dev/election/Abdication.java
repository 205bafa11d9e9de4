package dev.election;

import dev.election.text.ReadableDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a leader gives up its leadership. An {@link AbdicationRequest}, which asks another node, has tighter bounds.
 *
 * @param drain how long running leader work may take before leadership is released all the same; {@code null} for the
 *     election's own bound; no longer than {@link Election#LONGEST_WAIT}
 * @param cooldown how long this node then stays out of the election, at most {@link Election#LONGEST_WAIT}
 * @param successor the id of the only node that may take over at first, or {@code null} for any
 * @param reserve how long leadership is kept for the successor before anyone may take it, at most
 *     {@link Election#LONGEST_WAIT}
 */
public record Abdication(@Nullable Duration drain, Duration cooldown, @Nullable String successor, Duration reserve) {

    public Abdication {
        if (drain != null) {
            if (drain.isNegative()) {
                throw new IllegalArgumentException("The drain time can't be negative: " + ReadableDuration.of(drain));
            }
            drain = Election.bounded(drain);
        }
        requireBounded("cooldown", cooldown);
        requireBounded("time reserved for the successor", reserve);
    }

    /** Leave to whoever comes first, and stay out for a second so that it is somebody else if there is anybody. */
    public static Abdication toAnyone() {
        return new Abdication(null, Duration.ofSeconds(1), null, Duration.ZERO);
    }

    /** Leave to one node, which has three seconds to take over before anyone may. */
    public static Abdication to(String successor) {
        return new Abdication(null, Duration.ofSeconds(3), successor, Duration.ofSeconds(3));
    }

    /** The same with another bound for running work. */
    public Abdication drainingFor(Duration drain) {
        return new Abdication(drain, cooldown, successor, reserve);
    }

    /** The same with another time to stay out. */
    public Abdication coolingDownFor(Duration cooldown) {
        return new Abdication(drain, cooldown, successor, reserve);
    }

    private static void requireBounded(String what, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("The " + what + " can't be negative: " + ReadableDuration.of(time));
        }
        if (time.compareTo(Election.LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException("The " + what + " must be at most " + Election.LONGEST_WAIT.toDays()
                    + " days, but is " + ReadableDuration.of(time));
        }
    }
}
