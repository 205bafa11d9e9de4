package dev.election.internal.protocol;

import java.time.Instant;

/**
 * The moment at which an input is handled.
 *
 * @param nanos by the monotonic clock, which measures durations
 * @param wall by the wall clock, which is only shown
 */
public record Now(long nanos, Instant wall) {}
