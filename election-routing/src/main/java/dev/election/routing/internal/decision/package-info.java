/**
 * Where a request is served: here, on the leader, or nowhere. Knows no server and no client.
 *
 * <p>In comes a request, on a thread of the server. {@link dev.election.routing.internal.decision.Routes} says whose leader serves it
 * ({@link dev.election.routing.internal.decision.RoutedElection}), by its path or by the annotation of its handler.
 * {@link dev.election.routing.internal.decision.LeaderRouting} decides without I/O, from the elections and members of this process. While nobody
 * leads, the decision is a future that listeners of both complete, on their threads, or a clock after {@code election.routing.wait}.
 *
 * <p>Out goes a {@link dev.election.routing.internal.decision.RoutingDecision}:
 *
 * <ul>
 * <li>here: the request is leader work that was begun, and whoever serves the request ends it;
 * <li>on the leader: its token and its address, which is one that a member has said of itself
 *     ({@link dev.election.routing.internal.decision.MemberUris}). By the mode of the route
 *     {@link dev.election.routing.internal.decision.Answers} redirects or refuses the request, or leaves it to be forwarded;
 * <li>nowhere: the {@link dev.election.routing.internal.decision.Problem} that the client gets.
 * </ul>
 *
 * <p>A request that another node has forwarded names election and token ({@link dev.election.routing.internal.decision.Hop}). It is served here under
 * that token or refused with 421, and never forwarded again. {@link dev.election.routing.internal.decision.RoutingObserver} hears once what
 * happened to each request.
 *
 * <p>Begin with {@code LeaderRouting}, then {@code RoutingDecision}.
 */
@NullMarked
package dev.election.routing.internal.decision;

import org.jspecify.annotations.NullMarked;
