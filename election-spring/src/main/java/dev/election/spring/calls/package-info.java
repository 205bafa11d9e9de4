/**
 * Guarded calls as others take part in them: observers, jobs, and work that receives a failure.
 *
 * <p>The guards of {@code dev.election.spring.guard} ask the {@link JobGate} once for each guarded method whether its calls are those of a
 * scheduled job, with the {@link JobTerms} of its annotation. For each call of a job that the election has admitted, the gate decides whether
 * the call goes on; it may wait for the store.
 *
 * <p>A {@link CallObserver} receives the {@link CallOutcome} of each call, with the {@link CallerContext} of a subscriber, and the admitted
 * work, which it may wrap to learn its end. {@link FailingWork} receives the exception with which a call ends, too.
 *
 * <p>All of it happens on the thread of the caller, or of the subscriber, so that observers must be quick.
 * {@link OverdueWork} names work that does not end, and gives up leadership over it. Begin with {@link CallObserver} and {@link JobGate}.
 */
@NullMarked
package dev.election.spring.calls;

import dev.election.spring.internal.shape.FailingWork;
import org.jspecify.annotations.NullMarked;
