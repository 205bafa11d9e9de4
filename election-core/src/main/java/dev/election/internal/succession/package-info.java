/**
 * Order of succession: which member of an election should lead it, as a pure function. No I/O, no thread, no clock.
 *
 * <p>{@link dev.election.internal.succession.Succession} orders the members that take part by what they say of themselves (drained, down, priority) and by
 * the preferences of this process (zone, version, order of joining). All who see the same members compute the same order. {@code Versions} compares
 * versions. {@link dev.election.internal.succession.GroupSuccession} lets no two elections go to a member that leads one of them at most.
 *
 * <p>The order decides when a candidate asks for a free lease. It can't break safety: only the store grants leases.
 */
@NullMarked
package dev.election.internal.succession;

import org.jspecify.annotations.NullMarked;
