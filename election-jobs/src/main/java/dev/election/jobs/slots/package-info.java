/**
 * The slots of scheduled jobs, as a leader knows them: which were run or settled, which are missed and caught up, where the schedule goes
 * on. Everything here is decided from memory, on whatever thread asks, and knows neither the store nor a scheduler. The texts are those of
 * the ledger, which two versions beside each other read and write; they do not change.
 *
 * <p>{@link ScheduleSlots} are the slots of one schedule: a job asks by {@code claim}, a search for missed slots by {@code claimMissed},
 * and only the first one is granted. Until a new leader has looked for missed slots the schedule is held back. {@link JobSlots} join
 * the schedules of one job, which is not run twice for a time that several of them name.
 *
 * <p>{@link SlotClaim} and {@link SlotRun} are the texts that a successor finds of a slot that was claimed, or had begun, when its leader
 * died.
 *
 * <p>Begin reading with {@link ScheduleSlots}. {@link dev.election.jobs.ledger.SchedulerLedger} writes all of it to the store.
 */
@NullMarked
package dev.election.jobs.slots;

import org.jspecify.annotations.NullMarked;
