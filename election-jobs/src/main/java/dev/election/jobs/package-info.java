/** Runs of scheduled jobs, as an application sees them. */
@NullMarked
package dev.election.jobs;

import org.jspecify.annotations.NullMarked;
