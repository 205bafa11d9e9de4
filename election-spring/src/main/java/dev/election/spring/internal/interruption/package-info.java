/**
 * Ends running calls before their end: when leadership is lost, or when a call has run for too long.
 *
 * <p>A guarded call registers on its thread. {@link Interruptions} listens to the loss of leadership and interrupts the calls that have asked
 * for it, on a thread of listeners. {@code CallLimits} plans the end of a call with {@code atMostFor} on a thread of its own: the call is
 * stopped, and if it goes on, this node gives up leadership.
 *
 * <p>{@link CallPlace} knows where a call is: on the thread of its caller, on one to which later advice has moved it, in a coroutine, or
 * nowhere that is known; {@link Stopping} tells in which way it was ended. A {@link OneInterrupt} interrupts a thread at most once, and not
 * after the call has left it. Begin with {@link CallPlace}.
 */
@NullMarked
package dev.election.spring.internal.interruption;

import org.jspecify.annotations.NullMarked;
