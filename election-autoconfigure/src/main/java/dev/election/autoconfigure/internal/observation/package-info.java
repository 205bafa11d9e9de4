/** Guarded calls in the observations of the application. */
@NullMarked
package dev.election.autoconfigure.internal.observation;

import org.jspecify.annotations.NullMarked;
