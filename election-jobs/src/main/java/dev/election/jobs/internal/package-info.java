/**
 * Records which slots of scheduled jobs have been run, so that the next leader runs what was missed and nothing twice; the leader's
 * token fences what earlier leaders still write.
 */
@NullMarked
package dev.election.jobs.internal;

import org.jspecify.annotations.NullMarked;
