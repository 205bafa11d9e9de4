package dev.election.watch;

import java.time.Instant;

/**
 * Something that is wrong with the work of a leader, although it leads.
 *
 * @param what which work
 * @param problem what kind of failure, in a word
 * @param action what to do about it
 * @param detail what exactly has failed
 * @param since since when, by the clock of this node
 * @param stopsWork whether the work is not done for that
 */
public record Impediment(String what, String problem, String action, String detail, Instant since, boolean stopsWork) {}
