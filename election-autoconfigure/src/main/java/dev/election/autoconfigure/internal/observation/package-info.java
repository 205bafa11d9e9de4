/**
 * Guarded calls in the observations of the application.
 *
 * <p>{@link ObservedCalls} adds the outcome of a guarded call to the observation around it, on the thread of the call. {@link SkippedRuns}
 * leaves out the runs of scheduled methods that this node skips since it does not lead.
 */
@NullMarked
package dev.election.autoconfigure.internal.observation;

import org.jspecify.annotations.NullMarked;
