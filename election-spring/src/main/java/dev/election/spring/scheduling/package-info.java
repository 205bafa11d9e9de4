/**
 * Slots of guarded {@code @Scheduled} methods: records them, so that the next leader runs the missed ones and nothing twice. Begin with
 * {@link ScheduledJobs} and {@link ScheduleTurn}; the steps of a slot are those of the
 * {@linkplain dev.election.jobs.engine.ClaimedSlot slot engine}.
 *
 * <p>{@link ScheduledJobs} decides, when the guard of a method is created, whether the method is a job whose slots are recorded (a
 * {@link ScheduledJob}), one that must not start again too soon (a {@link SpacedJob}), or one of which only runs are recorded.
 * {@link ScheduledMethods} reads the annotations.
 *
 * <p>A scheduled call comes in on a thread of the application's scheduler. {@link SlotSchedulingConfigurer} has put a
 * {@code SlotTaskScheduler} before that scheduler, which puts the slot of the call on the thread as a {@code SlotCall}. Nothing comes back
 * by it. The guard asks {@link ScheduledJobs}, and the {@link ScheduleTurn} of the schedule claims the slot and waits for the store. The
 * {@link JobWork} of the call records the end of the run.
 *
 * <p>When this node begins to lead and its ledger is open, a {@link ScheduleTurn} begins for each schedule. It first runs the slots that
 * were missed, one after another, on threads of the same scheduler ({@link JobScheduler}), and holds back slots whose time comes meanwhile.
 * It claims such a slot before it calls the method, whose guard finds the claimed slot on the thread.
 *
 * <p>{@link PartitionedMethods} takes the tasks of {@code @Partitioned} methods out of that scheduler. A {@code PartitionSchedule} for each task and
 * partition begins and ends with the leadership of the partition, on the {@code PartitionThreads} of the group, where the slots of the partition that
 * were missed run, too. Such a method is a job of each of these elections.
 *
 * <p>{@link SlotLog} counts slots that are not run, or late, and keeps the log short.
 */
@NullMarked
package dev.election.spring.scheduling;

import org.jspecify.annotations.NullMarked;
