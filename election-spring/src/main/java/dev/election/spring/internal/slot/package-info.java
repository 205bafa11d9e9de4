/**
 * Slots of cron expressions: the times for which scheduled methods are called.
 *
 * <p>{@link SlotTaskScheduler} stands before the scheduler of the application. It plans each cron trigger as {@link PlannedSlots}, which
 * remember for which slot the next call is due. When the call comes, on a thread of the scheduler, it is made as a {@link SlotCall}, by which
 * the guard of the method learns the slot, and by which the caller learns what became of it.
 *
 * <p>{@link CronSchedule} is a cron expression with its zone, and counts the slots between two times. Nothing here knows a ledger or a leader.
 */
@NullMarked
package dev.election.spring.internal.slot;

import org.jspecify.annotations.NullMarked;
