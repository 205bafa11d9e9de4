/**
 * Where a request is served, and the way to the leader. Knows neither servlets nor WebFlux, which have a package each.
 *
 * <p>In comes a request for an election, on a thread of the server. {@link dev.election.routing.internal.LeaderRouting} decides without I/O: here as
 * leader work, on the leader, or nowhere ({@link dev.election.routing.internal.RoutingDecision}). {@link dev.election.routing.internal.Forwarder}
 * sends a request that belongs to the leader, at most once, by Reactor Netty on its threads. {@link dev.election.routing.internal.Routes} has the
 * paths of the properties; {@link dev.election.routing.internal.Answers} has the responses of a node that serves nothing.
 *
 * <p>Begin with {@code LeaderRouting}, then {@code RoutingDecision} and {@code Forwarder}.
 */
@NullMarked
package dev.election.routing.internal;

import org.jspecify.annotations.NullMarked;
