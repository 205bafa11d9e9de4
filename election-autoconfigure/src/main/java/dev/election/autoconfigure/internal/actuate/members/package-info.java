/**
 * The JSON of the members on the endpoint.
 *
 * <p>{@link MemberView} is one member with its roles, {@link MembersCopyView} tells how recent the copy of this node is, and {@link DrainView}
 * is an order to drain. {@link MemberStateView} answers an order that sets the {@link MemberState} of a node. All are made from the members in
 * memory, on the thread of the caller.
 */
@NullMarked
package dev.election.autoconfigure.internal.actuate.members;

import org.jspecify.annotations.NullMarked;
