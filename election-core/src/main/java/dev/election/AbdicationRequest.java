package dev.election;

import dev.election.support.ReadableDuration;
import java.time.Duration;

/**
 * A request to the leader, on any node, to abdicate. It is sent as a message. Since every client with the permission to publish for the
 * election could send one, nodes accept bounded times only.
 *
 * @param how how the leader abdicates: a longer drain time than {@link #LONGEST_DRAIN} is reduced to it, the cooldown is at most
 *     {@link #LONGEST_COOLDOWN}, the time reserved for the successor at most {@link #LONGEST_RESERVE}, and the successor is the id of
 *     a node, {@code [A-Za-z0-9._:-]{1,128}}
 * @param patience how long the leader may take to react, beyond the time that messages take in the store, and no longer than
 *     {@link Election#LONGEST_WAIT}; the time for running work comes after that
 * @param force whether a leader that does not react is evicted. It may be paused or partitioned and resume its work later: until it
 *     notices, two nodes may work as the leader, and only the {@link FencingToken} distinguishes them
 */
public record AbdicationRequest(Abdication how, Duration patience, boolean force) {

    /** The default of the time that a leader may take to react. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(3);

    /** The upper bound of the drain time. */
    public static final Duration LONGEST_DRAIN = Duration.ofDays(1);

    /** The upper bound of the cooldown. */
    public static final Duration LONGEST_COOLDOWN = Duration.ofDays(1);

    /** The upper bound of the time reserved for a successor, which may not be alive. */
    public static final Duration LONGEST_RESERVE = Duration.ofMinutes(1);

    /**
     * Throws an {@link IllegalArgumentException} for a time above its bound except the drain time, for a patience of zero, and for a
     * successor that is no node id.
     */
    public AbdicationRequest {
        requireAtMost("cooldown", how.cooldown(), LONGEST_COOLDOWN);
        requireAtMost("time reserved for the successor", how.reserve(), LONGEST_RESERVE);
        if (how.successor() != null && !Leader.isNodeId(how.successor())) {
            throw new IllegalArgumentException(
                    "The successor must be the id of a node, 1 to 128 of A-Z a-z 0-9 . _ : - but is '" + how.successor()
                            + "'");
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

    /** Creates a request with {@link #DEFAULT_PATIENCE} that does not evict a leader which does not react. */
    public static AbdicationRequest of(Abdication how) {
        return new AbdicationRequest(how, DEFAULT_PATIENCE, false);
    }

    /** Returns this request with force: a leader that does not react is evicted. */
    public AbdicationRequest withForce() {
        return new AbdicationRequest(how, patience, true);
    }

    /** Returns this request with another time to react. */
    public AbdicationRequest waitingFor(Duration patience) {
        return new AbdicationRequest(how, patience, force);
    }

    /**
     * Returns this request with the name of its requester, such as an operator. The node that sends the request adds its own id, and names
     * only that id if there is no requester.
     */
    public AbdicationRequest by(String requester) {
        return new AbdicationRequest(how.requestedBy(requester), patience, force);
    }

    private static void requireAtMost(String what, Duration time, Duration longest) {
        if (time.compareTo(longest) > 0) {
            throw new IllegalArgumentException("The " + what + " of a request to another node must be at most "
                    + ReadableDuration.of(longest) + ", but is " + ReadableDuration.of(time));
        }
    }
}
