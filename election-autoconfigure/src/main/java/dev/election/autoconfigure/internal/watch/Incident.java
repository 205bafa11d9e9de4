package dev.election.autoconfigure.internal.watch;

import dev.election.StoreProblem;
import java.time.Instant;

/**
 * A period in which the store gives no usable reply.
 *
 * @param problem the last problem
 * @param detail the message of the store or the connection
 * @param action what is wrong and what to do about it, as the store says it
 * @param at when it began, by the clock of this node
 * @param begun the same on the monotonic clock
 */
public record Incident(StoreProblem problem, String detail, String action, Instant at, long begun) {}
