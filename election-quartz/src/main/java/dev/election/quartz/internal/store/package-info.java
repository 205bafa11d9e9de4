/**
 * The job store that all nodes of a cluster share, as the scheduler of one of them sees it.
 *
 * <p>{@link GuardedJobStore} stands between a scheduler and its store. Quartz calls it on the thread of the scheduler, and on those of jobs
 * for their ends; it lets a node acquire and fire only while it leads. {@link FiringRecords} ask the database whether a firing still belongs
 * to this node.
 *
 * <p>A veto in such a store would end a firing for all nodes. So {@link HandBack} gives what must not run here back, as a trigger of
 * {@link Refiring}, for whichever node leads. It insists: the process may be about to end.
 */
@NullMarked
package dev.election.quartz.internal.store;

import org.jspecify.annotations.NullMarked;
