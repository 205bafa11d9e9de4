/**
 * A guarded scheduler and what runs in it. Used by everything that decides on its firings.
 *
 * <p>{@link GuardedScheduler} has the scheduler, its guard, its part of the ledgers, its running jobs and a worker thread, on which runs
 * whatever may block. A {@link RunningJob} holds the leader work of a job from the claim of its slot until its records are written; it is
 * begun and ended by the thread of the job, and told of a loss by that of the listeners.
 *
 * <p>{@link SchedulerSwitch} starts and stops a scheduler that follows an election. {@link FiringsUnderWay} hold the leader work
 * of firings between the job store and their threads. {@link Vetoed} remember last firings, which Quartz forgets.
 *
 * <p>Out: {@link QuartzObserver} hears of firings, for meters. {@link StoreTransactions} are those of a job store in a database.
 */
@NullMarked
package dev.election.quartz.internal.scheduler;

import org.jspecify.annotations.NullMarked;
