/**
 * Recovery: what a new leader runs late of what earlier leaders have left, where each node has its own job store.
 *
 * <p>In: a ledger that is open, on the worker thread of the scheduler, before the triggers of the new leader fire. Nothing here runs on a
 * request or on a thread of the elections.
 *
 * <p>{@link MissedSlotRecovery} finds the slots of each trigger that nobody has fired. It has them fired by triggers of their own, in the
 * group {@code election.catch-up}, by the misfire instruction of the trigger; a trigger that stood still on standby goes on with the first
 * of them. Slots that are too old, or may have been fired without a trace, are counted as lost. {@link JobRecovery} runs jobs again that
 * request recovery and ran, or were claimed, when a leader died.
 *
 * <p>Out: triggers in the scheduler, one line of the log for many triggers, counts for the observer.
 */
@NullMarked
package dev.election.quartz.internal.recovery;

import org.jspecify.annotations.NullMarked;
