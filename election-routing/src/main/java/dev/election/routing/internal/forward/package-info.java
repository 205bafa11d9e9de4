/**
 * The way of a request to the leader, and of its response back.
 *
 * <p>In comes a request ({@link dev.election.routing.internal.forward.Incoming}) with the decision that the leader serves it.
 * {@link dev.election.routing.internal.forward.Forwarder} sends it at most once, by Reactor Netty on its threads, over the connections of
 * {@link dev.election.routing.internal.forward.LeaderConnections}: a small body is kept, so that a leader that has refused the request unread does not
 * lose it; a larger one is streamed ({@link dev.election.routing.internal.forward.RequestBody}).
 * {@link dev.election.routing.internal.forward.ForwardedHeaders} says which headers pass. Out goes the response of the leader, part by part, or
 * a problem if there is none.
 *
 * <p>{@link dev.election.routing.internal.forward.LeaderClientInterceptor} sends the requests of the application itself to a leader, on the thread of
 * the caller.
 *
 * <p>Begin with {@code Forwarder}.
 */
@NullMarked
package dev.election.routing.internal.forward;

import org.jspecify.annotations.NullMarked;
