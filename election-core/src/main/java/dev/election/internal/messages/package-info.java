/**
 * Messages between members: their text, the queue in which they wait for handlers, and the questions that wait for replies.
 *
 * <p>Begin with {@link dev.election.internal.messages.LocalMessages}, which creates the others. To send, callers come on any thread, wait in the
 * {@code MessageExchange} until this process is a member and has subscribed, and go on on the loop. {@code Questions} keeps those without a
 * reply, and {@code MessagePost} publishes by the store.
 *
 * <p>{@code Reception} receives: it takes the texts that arrive, on the thread of the store, and never blocks. It drops and counts a text
 * that is too large or unreadable. A reply goes to its question at once. A message of an unknown sender waits for a moment. All others go to
 * the {@code Inbox}, which queues them in a {@code FairQueue} and runs the {@code MessageHandlers} on threads of the engine, where a {@code
 * HangWatch} observes them.
 *
 * <p>Messages are lost rather than kept: a full queue drops some, and so does the end of a membership. {@code WireMessage} has the
 * format.
 */
@NullMarked
package dev.election.internal.messages;

import org.jspecify.annotations.NullMarked;
