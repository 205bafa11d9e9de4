/**
 * Messages between members: their text, and the queue in which they wait for handlers.
 *
 * <p>Begin with {@link dev.election.internal.messages.Reception}: it takes the texts that arrive on the channels, on the thread of the store, and
 * never blocks. It drops and counts a text that is too large or unreadable. A reply goes to its question at once. A message of an unknown sender waits
 * for a moment in an {@code UnknownSenderBuffer}; all others go to the {@link dev.election.internal.messages.Inbox}.
 *
 * <p>The inbox queues messages in a {@code FairQueue} and runs their handlers on the threads of the engine, where a {@code HangWatch} observes them.
 * Messages are lost rather than kept: a full queue drops some, and so does the end of a membership.
 *
 * <p>Sending is the engine's: {@link dev.election.internal.messages.WireMessage} has the format. This package knows no store and no loop.
 */
@NullMarked
package dev.election.internal.messages;

import org.jspecify.annotations.NullMarked;
