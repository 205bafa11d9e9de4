/**
 * The Micrometer meters of the elections.
 *
 * <p>{@link ElectionMeters} counts events of elections, members and messages on the threads of listeners, and guarded calls on theirs; its
 * gauges read {@code internal.watch} when a registry asks. {@link MeteredLeaseStore} times renewals around the store. {@link JobMeters}
 * times the runs of jobs and counts missed slots. {@code ApplicationTag} is the tag that all of them have in common.
 */
@NullMarked
package dev.election.autoconfigure.internal.metrics;

import org.jspecify.annotations.NullMarked;
