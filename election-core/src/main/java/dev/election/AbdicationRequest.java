package dev.election;

import dev.election.text.ReadableDuration;
import java.time.Duration;

/**
 * A request to whoever leads, on whatever node, to give leadership up. It travels as a message, and since anybody might send one
 * who may publish for the election, nodes obey bounded times only.
 *
 * @param how how the leader shall do it: with a drain time of at most {@link #LONGEST_DRAIN}, to which a longer one is cut, a
 *     cooldown of at most {@link #LONGEST_COOLDOWN}, at most {@link #LONGEST_RESERVE} for the successor, and a successor with the
 *     id of a node, {@code [A-Za-z0-9._:-]{1,128}}
 * @param patience how long the leader may take to react, beyond the time that messages take in the store, and no longer than
 *     {@link Election#LONGEST_WAIT}; running work is
 *     waited for after that
 * @param force whether leadership is taken from a leader that does not react. It may be paused or cut off and work on when it
 *     comes back: until it notices, two nodes may work as the leader, and only the {@link FencingToken} tells them apart
 */
public record AbdicationRequest(Abdication how, Duration patience, boolean force) {

    /** How long a leader may take to react unless said. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(3);

    /** How long running work may take at most. */
    public static final Duration LONGEST_DRAIN = Duration.ofDays(1);

    /** How long a leader may be asked to stay out. */
    public static final Duration LONGEST_COOLDOWN = Duration.ofDays(1);

    /** How long leadership may be kept for a successor, which need not be alive. */
    public static final Duration LONGEST_RESERVE = Duration.ofMinutes(1);

    public AbdicationRequest {
        requireAtMost("cooldown", how.cooldown(), LONGEST_COOLDOWN);
        requireAtMost("time reserved for the successor", how.reserve(), LONGEST_RESERVE);
        if (how.successor() != null && !Leader.isNodeId(how.successor())) {
            throw new IllegalArgumentException(
                    "The successor must have the id of a node, 1 to 128 of A-Z a-z 0-9 . _ : - but is '"
                            + how.successor() + "'");
        }
        if (how.drain() != null && how.drain().compareTo(LONGEST_DRAIN) > 0) {
            how = how.drainingFor(LONGEST_DRAIN);
        }
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException(
                    "The patience must be longer than zero, but is " + ReadableDuration.of(patience));
        }
        patience = Election.bounded(patience);
    }

    /** Asks, and leaves a leader that does not react alone. */
    public static AbdicationRequest of(Abdication how) {
        return new AbdicationRequest(how, DEFAULT_PATIENCE, false);
    }

    /** The same, but leadership is taken from a leader that does not react. */
    public AbdicationRequest withForce() {
        return new AbdicationRequest(how, patience, true);
    }

    /** The same with another time to react. */
    public AbdicationRequest waitingFor(Duration patience) {
        return new AbdicationRequest(how, patience, force);
    }

    private static void requireAtMost(String what, Duration time, Duration longest) {
        if (time.compareTo(longest) > 0) {
            throw new IllegalArgumentException("Another node can be asked for a " + what + " of at most "
                    + ReadableDuration.of(longest) + ", not for " + ReadableDuration.of(time));
        }
    }
}
