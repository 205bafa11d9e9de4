package dev.election.autoconfigure.internal.actuate;

import java.time.Duration;

/**
 * Time limits of requests to abdicate that name none themselves.
 *
 * @param patience how long the leader may take to react
 * @param longestDrain how long running work may take to end
 */
public record RequestLimits(Duration patience, Duration longestDrain) {}
