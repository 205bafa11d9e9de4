/**
 * Requests that this node serves as the leader, whatever the server is.
 *
 * <p>In comes the leader work of a request whose response goes on when the thread of the request has left it.
 * {@link dev.election.routing.internal.leader.RunningRequests} keeps it until the response has ended. If the leadership ends before, it runs what ends
 * the response, on the thread of the listeners: a stream of events just ends, and any other response fails with a
 * {@link dev.election.routing.internal.leader.LostResponse}, so that no client takes a part of it for the whole.
 *
 * <p>{@link dev.election.routing.internal.leader.NoToken} is the failure of a handler that has a token as an argument and is not served as the leader.
 *
 * <p>Begin with {@code RunningRequests}.
 */
@NullMarked
package dev.election.routing.internal.leader;

import org.jspecify.annotations.NullMarked;
