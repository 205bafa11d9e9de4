/**
 * Guarded calls in the observations of the application.
 *
 * <p>{@link ObservedCalls} adds the outcome of a guarded call to the observation around it, on the thread of the call.
 */
@NullMarked
package dev.election.autoconfigure.internal.observation;

import org.jspecify.annotations.NullMarked;
