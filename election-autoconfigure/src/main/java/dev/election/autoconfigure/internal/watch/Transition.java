package dev.election.autoconfigure.internal.watch;

import dev.election.Role;
import java.time.Instant;

/**
 * A change of the role of this node.
 *
 * @param to the new role
 * @param reason {@code ACQUIRED}, {@code FOLLOWS}, or the name of the {@link dev.election.LossReason}
 * @param at when, by the clock of this node
 */
public record Transition(Role to, String reason, Instant at) {}
