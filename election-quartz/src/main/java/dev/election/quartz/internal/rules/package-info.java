/**
 * Rules: which election guards a Quartz job, and how a scheduler is kept from running jobs where they must not run.
 *
 * <p>In: annotations of job classes, the data of jobs and triggers under the names of {@link QuartzData}, and the settings of the
 * application ({@link QuartzSettings}). Out: a {@link JobGuard} for each firing, {@code null} for a job that runs on every node, and
 * a {@link SchedulerGuard} for each scheduler.
 *
 * <p>{@link GuardRules} hold for all schedulers of a context. {@link SchedulerRules} are those of one: a scheduler that follows an election
 * as a whole has that one for all of its guarded jobs. {@link SchedulerChoice} decides between vetoes and standby, once, when the scheduler
 * is made. Everything here is decided from memory, on whatever thread asks; what can't be kept is an error at the start where possible.
 */
@NullMarked
package dev.election.quartz.internal.rules;

import org.jspecify.annotations.NullMarked;
