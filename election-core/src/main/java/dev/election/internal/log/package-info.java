/**
 * Log lines about changes of leader: few, also when many elections change at once or a store fails for hours.
 *
 * <p>Begin with {@link dev.election.internal.log.TransitionLog}, a listener to all elections of a process. It writes one line for a change. A
 * {@code TogetherLog} collects for a second what happens to many elections for the same reason, and writes one line for all. An {@code IncidentLog} follows a
 * problem of the store from its first failure to its end, with the number of elections that it concerned.
 *
 * <p>Events come in on the threads for listeners; nothing here decides or delays anything. When the engine closes, what was collected is written.
 * {@code Names} lists elections in a line.
 */
@NullMarked
package dev.election.internal.log;

import org.jspecify.annotations.NullMarked;
