package dev.election.autoconfigure.internal.actuate;

import java.time.Duration;

/**
 * Time limits of requests to a leader that name none themselves.
 *
 * @param patience how long the leader may take to react
 * @param longestDrain how long running work may take to end
 * @param messageDelay the longest time that a message to the leader, or its answer, takes beside that
 */
public record RequestLimits(Duration patience, Duration longestDrain, Duration messageDelay) {

    /** Returns more than all limits of a request together, which completes by itself. */
    Duration longest(Duration patience) {
        return patience.plus(messageDelay.multipliedBy(2)).multipliedBy(4);
    }
}
