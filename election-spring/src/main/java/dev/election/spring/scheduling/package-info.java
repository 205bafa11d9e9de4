/**
 * Slots of guarded {@code @Scheduled} methods: records them, so that the next leader runs the missed ones and nothing twice. Begin with
 * {@link ScheduledJobs}, {@link ScheduleTurn} and {@code SlotCall}.
 *
 * <p>{@link ScheduledJobs} decides, when the guard of a method is created, whether the method is a job whose slots are recorded (a
 * {@link ScheduledJob}), one that must not start again too soon (a {@link SpacedJob}), or one of which only runs are recorded.
 * {@link ScheduledMethods} reads the annotations.
 *
 * <p>A scheduled call comes in on a thread of the application's scheduler. {@link SlotSchedulingConfigurer} has put a
 * {@code SlotTaskScheduler} before that scheduler, which notes the slot of the call as a {@code SlotCall} on the thread. The guard asks
 * {@link ScheduledJobs}, and the {@link ScheduleTurn} of the schedule claims the slot in the ledger and waits for the store. The claimed
 * {@link JobWork} records the end of the run.
 *
 * <p>When this node begins to lead and its ledger is open, a {@link ScheduleTurn} begins for each schedule. It first runs the slots that
 * were missed, one after another, on threads of the same scheduler, and holds back slots whose time comes meanwhile.
 *
 * <p>{@link SlotLog} and {@link UnconfirmedStarts} keep the log short, {@link JobObserver} counts.
 */
@NullMarked
package dev.election.spring.scheduling;

import org.jspecify.annotations.NullMarked;
