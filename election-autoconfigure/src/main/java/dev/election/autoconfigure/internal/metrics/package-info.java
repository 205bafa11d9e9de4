/** The Micrometer meters of the elections. */
@NullMarked
package dev.election.autoconfigure.internal.metrics;

import org.jspecify.annotations.NullMarked;
