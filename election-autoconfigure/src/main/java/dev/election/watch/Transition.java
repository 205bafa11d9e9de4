package dev.election.watch;

import dev.election.Role;
import java.time.Instant;

/**
 * A change of the part that this node plays.
 *
 * @param to what it is since then
 * @param reason {@code ACQUIRED}, {@code FOLLOWS}, or the name of the {@link dev.election.LossReason}
 * @param at when, by the clock of this node
 */
public record Transition(Role to, String reason, Instant at) {}
