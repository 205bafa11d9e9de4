/**
 * Firings: whether a job that Quartz is about to run may begin here, and what is recorded of it.
 *
 * <p>In: Quartz calls {@link GuardListener}, always on the thread that runs the job. {@link Admission} decides from memory: is
 * there leadership, are the records of earlier leaders known, was the slot fired before. {@link SlotClaims} then claim the slot and, if
 * claims are to be confirmed, wait for one answer of the store. A slot whose claim is not confirmed is fired again later.
 *
 * <p>Out: {@link SlotClaims} record for a successor what was fired and what runs. The listener tells the history of each run. Ends of jobs
 * release the leader work as soon as their records are written.
 *
 * <p>Begin reading with {@link GuardListener#vetoJobExecution}.
 */
@NullMarked
package dev.election.quartz.internal.firing;

import org.jspecify.annotations.NullMarked;
