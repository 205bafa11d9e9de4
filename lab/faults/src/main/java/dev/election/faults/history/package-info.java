/**
 * Entries that nodes and the nemesis append to a file, and all that the checker knows.
 *
 * <p>An {@link Entry} is one fact with its time on the monotonic clock of the machine, which all processes share. {@link Line} writes it as
 * a line of text and reads it again. {@link HistoryFile} appends lines while the run lasts, {@link History} has all of them afterwards. A
 * {@link Consequence} says what a fault may lead to by the design.
 */
@NullMarked
package dev.election.faults.history;

import org.jspecify.annotations.NullMarked;
