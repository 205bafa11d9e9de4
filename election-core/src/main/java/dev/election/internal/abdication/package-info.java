/**
 * Requests of this node to the leader of an election to abdicate, from the first message to the report.
 *
 * <p>Begin with {@link dev.election.internal.abdication.RemoteAbdications}, which has the open requests of one election. A {@code RemoteAbdication} asks the
 * leader by a message, reads the store and repeats the message until the leader has reacted, and evicts a leader that does not react if the request
 * asks for force. {@code RemoteAbdicationOutcome} says how it has ended, by what the store says about the leadership.
 *
 * <p>Everything is decided on the loop, where a request waits for one answer or time at once. Reports and log lines are written on other threads.
 *
 * <p>{@link dev.election.internal.abdication.Pauses} and {@link dev.election.internal.abdication.Doubling} are the pauses before a node that has given
 * leadership up, or was preempted, leads again.
 */
@NullMarked
package dev.election.internal.abdication;

import org.jspecify.annotations.NullMarked;
