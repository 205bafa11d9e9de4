package dev.election.watch;

import dev.election.StoreProblem;
import java.time.Instant;

/**
 * A time during which the store gives no usable answer.
 *
 * @param problem what was wrong last
 * @param detail what the store or the connection said
 * @param action what is wrong and what to do, as the store says it
 * @param at since when, by the clock of this node
 * @param begun the same on the monotonic clock
 */
public record Incident(StoreProblem problem, String detail, String action, Instant at, long begun) {}
