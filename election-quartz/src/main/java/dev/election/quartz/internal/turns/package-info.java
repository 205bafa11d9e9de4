/**
 * The turns of Quartz schedulers: what happens to them as leadership of this node begins, pauses and ends. A scheduler is made by the
 * application; the wiring passes it to {@link QuartzGuards#guard} before it is started.
 *
 * <p>In: {@link QuartzGuards} hears of leaderships as a user of the ledgers. It passes them to the {@link SchedulerTurns} of each scheduler,
 * which recover missed slots, switch the scheduler on and off, and interrupt jobs. Whatever may block runs on the worker thread of the
 * scheduler.
 *
 * <p>The other rooms, from the bottom: {@code rules} (which election guards what), {@code trigger} (the slots of a trigger, and texts
 * about them), {@code scheduler} (a scheduler with what runs in it), {@code store} (the job store that nodes share), {@code firing}
 * (whether a job may begin), {@code recovery} (what earlier leaders have left). Imports run downwards.
 *
 * <p>Begin reading with {@link QuartzGuards}, then follow a firing from {@code firing.GuardListener}.
 */
@NullMarked
package dev.election.quartz.internal.turns;

import org.jspecify.annotations.NullMarked;
