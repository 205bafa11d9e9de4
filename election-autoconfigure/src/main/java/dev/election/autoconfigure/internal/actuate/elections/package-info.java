/**
 * The JSON of one election on the endpoint: its leader, its earlier leaderships, its problems and the runs of its jobs.
 *
 * <p>Begin with {@link ElectionViews}, which combines an election with what {@code internal.watch} has recorded of it, and with a read of the
 * store if there was one, on the thread of the caller. The result is an {@link ElectionView}; {@link Freshness} says which of its values come
 * from the store and which from memory.
 *
 * <p>{@link AbdicationView} is the answer to a request to abdicate, {@link JobRunsView} the answer to one for the runs of jobs. The components
 * of the records are the documented fields, in their order.
 */
@NullMarked
package dev.election.autoconfigure.internal.actuate.elections;

import org.jspecify.annotations.NullMarked;
