/**
 * Faults, the plans that order them, and their injection.
 *
 * <p>{@link Nemesis} carries out a {@link Plan} against one group, on the thread of its caller: it waits until the group is calm, injects
 * the faults of an episode, and heals them. A plan is drawn from a seed, so that a run can be repeated.
 *
 * <p>{@link Fault} is the interface of all faults. Each enum has the faults of one kind of store, of links or of processes, with the
 * consequences that each may have. {@link Target} chooses the nodes when the fault begins; a {@link Strike} is one use of a fault.
 */
@NullMarked
package dev.election.faults.nemesis;

import org.jspecify.annotations.NullMarked;
