/**
 * Assembly of an engine and its parts, as its builder asks for them.
 *
 * <p>{@link dev.election.internal.assembly.AssembledEngine} is the {@link dev.election.ElectionEngine} of applications. It adds membership, messages and
 * steering to the {@link dev.election.internal.engine.Engine} if the settings name them and the store can keep members, and offers their API:
 * {@link dev.election.internal.assembly.LocalMembers} answers from the copy of the members, on any thread, without a request.
 *
 * <p>Nothing else knows all the parts. A new part is added here.
 */
@NullMarked
package dev.election.internal.assembly;

import org.jspecify.annotations.NullMarked;
