/** The Micrometer meters of the elections. */
@NullMarked
package dev.election.metrics;

import org.jspecify.annotations.NullMarked;
