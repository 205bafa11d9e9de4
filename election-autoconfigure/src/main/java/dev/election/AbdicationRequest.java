package dev.election;

import java.time.Duration;

/**
 * A request to whoever leads, on whatever node, to give leadership up.
 *
 * @param how how the leader shall do it
 * @param patience how long the leader may take to react, and no longer than {@link Election#LONGEST_WAIT}; running work is
 *     waited for after that
 * @param force whether leadership is taken from a leader that does not react. It may be paused or cut off and work on when it
 *     comes back: until it notices, two nodes may work as the leader, and only the {@link FencingToken} tells them apart
 */
public record AbdicationRequest(Abdication how, Duration patience, boolean force) {

    /** How long a leader may take to react unless said. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(3);

    public AbdicationRequest {
        if (patience.isNegative() || patience.isZero()) {
            throw new IllegalArgumentException("The leader needs some time to react, not " + patience);
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
}
