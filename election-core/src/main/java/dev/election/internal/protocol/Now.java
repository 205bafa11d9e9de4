package dev.election.internal.protocol;

import java.time.Instant;

/**
 * The moment at which an input is handled.
 *
 * @param nanos the monotonic clock: what durations are measured with
 * @param wall the wall clock: only shown
 */
public record Now(long nanos, Instant wall) {}
