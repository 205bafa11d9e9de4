/**
 * Requests of all elections of a process to the store, sent together.
 *
 * <p>Begin with {@link dev.election.internal.requests.Conversation}. An election or a part of the engine adds its requests to a
 * {@link dev.election.internal.requests.Batch}; others whose own request is due soon join it, and the store gets them as one. The requests of a batch count from
 * one time, at which it was begun.
 *
 * <p>The replies come on threads of the store; whoever asked brings them to the loop. {@link dev.election.internal.requests.AnsweringStore} sees to it that each
 * request has an answer, also if the store throws or returns too few: nothing here waits for ever.
 *
 * <p>{@link dev.election.internal.requests.EngineContext} bundles store, conversation, loop, clock and callbacks for those who need them.
 */
@NullMarked
package dev.election.internal.requests;

import org.jspecify.annotations.NullMarked;
