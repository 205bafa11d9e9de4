/**
 * Routes the requests of Spring WebFlux.
 *
 * <p>In comes a request on a thread of the server. {@code LeaderWebFilter} stands behind the filter of Spring Security, so that a request that is
 * not allowed is refused where it arrives. It goes through three steps, none of which blocks:
 *
 * <ol>
 * <li>{@code ReactiveRoutes} says whose leader serves the request, by its handler or its path. One that anybody may serve goes on as if there
 *     were no filter.
 * <li>The decision says where. While nobody leads, the request waits on no thread and goes on at one of Reactor's.
 * <li>Here: the rest of the chain runs as leader work, which is in the context of the subscriber, and which ends with the response. If the
 *     leadership ends first, the response does, too. On the leader: the forwarder gets the body as it comes. A body of which a filter has
 *     read something is refused, and a form that was read is encoded again.
 * </ol>
 *
 * <p>{@code TokenArgument} gives a handler the token of its request.
 *
 * <p>Begin with {@code LeaderWebFilter}.
 */
@NullMarked
package dev.election.routing.internal.reactive;

import org.jspecify.annotations.NullMarked;
