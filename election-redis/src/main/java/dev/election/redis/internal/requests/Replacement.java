package dev.election.redis.internal.requests;

import java.time.Duration;

/**
 * A connection for requests has taken the place of another.
 *
 * @param sinceLoss how long ago the one before was lost
 * @param usedSince since when requests go over it, by {@link System#nanoTime}
 */
public record Replacement(Duration sinceLoss, long usedSince) {}
