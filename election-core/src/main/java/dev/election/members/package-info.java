/**
 * The members: the processes that share a store, their descriptions, and messages between them.
 *
 * <p>A process describes itself by {@link MemberSettings}; others see it as a {@link Member}. {@link Members} answers queries from a copy in
 * memory, which a heartbeat confirms about once a lease, and passes each {@link MemberEvent} on to a {@link MemberListener}. Begin to read with
 * {@link Members}, {@link Member} and {@link NodeMessages}.
 *
 * <p>{@link NodeMessages} sends texts to a {@link Recipient} and calls a {@link MessageHandler} for those that arrive. They may be lost, and
 * the name of a sender is no authentication.
 *
 * <p>Members decide no grant: the election itself says who leads. A {@link Standing} is the place of a member in the order of succession, and a
 * {@link Drain} an order that a node leads nothing.
 *
 * <p>Calls return at once on any thread. Listeners and handlers run on threads that delay no election.
 */
@NullMarked
package dev.election.members;

import org.jspecify.annotations.NullMarked;
