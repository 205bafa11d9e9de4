/**
 * One election of this process: the shell around the protocol, and the side that callers see.
 *
 * <p>Begin with {@link dev.election.internal.election.ElectionRunner}. On the loop it feeds inputs to the
 * {@link dev.election.internal.protocol.Protocol}: replies and events of the store, alarms and calls. It publishes each state as a
 * {@link dev.election.internal.election.Snapshot} and then carries out the effects: requests join a batch, events go to the listeners.
 *
 * <p>{@link dev.election.internal.election.LocalElection} is for callers on any thread. It reads the snapshot and the clock, so that a question costs no
 * request, and counts leader work in a {@link dev.election.internal.election.WorkGate}, which opens with a leadership and closes before its lease is released.
 *
 * <p>{@code RoleAssignment} knows whether this node is to be a candidate, {@code OtherApplications} finds another application in the same election,
 * {@code LedgerState} is the text that a leader keeps for its successors, and {@code ResultMonitor} wakes callers that wait.
 */
@NullMarked
package dev.election.internal.election;

import org.jspecify.annotations.NullMarked;
