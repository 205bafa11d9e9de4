/**
 * Quartz jobs that run on the leader only, none of them twice and none lost. Begin with {@link QuartzGuards}, {@link GuardListener} and
 * {@link MissedSlotRecovery}.
 *
 * <p>{@link QuartzGuards} guards each scheduler of a context, and has a {@link GuardedScheduler} and {@link SchedulerTurns} for each.
 * There are two ways to keep jobs off a node that does not lead: a veto of each firing, or a scheduler on standby
 * ({@link SchedulerSwitch}). {@link SchedulerChoice} decides which.
 *
 * <p>A firing comes in on a thread of Quartz. {@link GuardListener} asks {@link Admission}, which decides from memory: does this node
 * lead the election of the job ({@link GuardRules}), and was the slot fired before? {@link SlotClaims} then claims the slot in the
 * ledger, and waits for the store if {@code confirm-claims} is set. {@link FiringNotes} records beginning and end for a successor.
 *
 * <p>When this node begins to lead, {@link MissedSlotRecovery} finds slots that nobody has fired and schedules triggers that fire them,
 * and {@link JobRecovery} schedules jobs again that ran when an earlier leader died. Such work may block on the store of jobs, so it
 * runs on one worker thread for each scheduler.
 *
 * <p>If nodes share a clustered job store, the store itself knows what was missed. Then {@link GuardedJobStore} keeps it closed while
 * this node does not lead, {@link HandBack} returns firings that must not run here, and {@link FiringsUnderWay} lets a release of
 * leadership wait for firings on the way to their threads.
 */
@NullMarked
package dev.election.quartz.internal;

import org.jspecify.annotations.NullMarked;
