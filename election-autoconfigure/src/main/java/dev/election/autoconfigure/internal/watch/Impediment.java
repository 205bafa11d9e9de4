package dev.election.autoconfigure.internal.watch;

import java.time.Instant;

/**
 * A failure of the work of a leader that does not end its leadership.
 *
 * @param what which work
 * @param problem the kind of failure, in a word
 * @param action what to do about it
 * @param detail what exactly has failed
 * @param since when the failure began, by the clock of this node
 * @param stopsWork whether the work is not done because of it
 */
public record Impediment(String what, String problem, String action, String detail, Instant since, boolean stopsWork) {}
