/**
 * The slot engine, which the scheduler of {@code @Scheduled} methods and the guards of Quartz share: on top of slots, ledger and history.
 *
 * <p>In: a scheduler has found, from memory ({@link dev.election.jobs.slots.ScheduleSlots}), that a slot may be run. It asks its
 * {@link SlotEngine} for a {@link ClaimedSlot}, on the thread that is to run the job, and waits there until the store has confirmed the claim.
 * Then it begins the job and ends it, or takes the claim back. Each of these steps is recorded, so that a successor knows how far a
 * slot has come.
 *
 * <p>A new leader finds what earlier ones have not ended as {@link LeftSlot}s, and decides about each: to run it again, or to give it up.
 *
 * <p>Out: records in the ledger. {@link UnconfirmedClaims} keep the log short while the store does not answer.
 *
 * <p>Begin reading with {@link ClaimedSlot}. The order of runs is the matter of each scheduler: {@code @Scheduled} methods make up
 * for slots one after another, Quartz by triggers of its own.
 */
@NullMarked
package dev.election.jobs.engine;

import org.jspecify.annotations.NullMarked;
