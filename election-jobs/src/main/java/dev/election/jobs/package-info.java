/**
 * Runs of scheduled jobs, as an application sees them: {@link JobRuns} reads the latest runs of all nodes from the store, and a
 * {@link JobRunListener} receives those that end on its own node. Both get {@link JobRun}s. The runs are for people and metrics: no
 * decision uses them. {@link OnceRunner} runs tasks once for all processes, without members and schedules.
 */
@NullMarked
package dev.election.jobs;

import org.jspecify.annotations.NullMarked;
