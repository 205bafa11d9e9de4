package dev.election.autoconfigure.internal.watch;

import java.time.Instant;

/**
 * A recovery that a new leader is running before it admits work.
 *
 * @param name the name of the recovery
 * @param since when it began, by the clock of this node
 */
public record PresentRecovery(String name, Instant since) {}
