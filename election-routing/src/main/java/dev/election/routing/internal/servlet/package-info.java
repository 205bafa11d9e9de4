/**
 * Routes the requests of a servlet container with Spring MVC.
 *
 * <p>In comes a request on a thread of the container. {@code BodyFilter} stands before all other filters and notes what they read of a body, since
 * one of which something was read can't be forwarded ({@code ReadBody}). {@code LeaderFilter} stands behind the filter of Spring Security. It
 * asks {@code ServletRoutes} whose leader serves the request, and then for the decision; while nobody leads, the thread waits, as it would in a
 * handler, and how many do so is bounded. The request goes on in one of two ways:
 *
 * <ul>
 * <li>Here: {@code LeaderRequests} runs the rest of the chain as leader work, which ends with the response, also if that is asynchronous.
 * <li>On the leader: {@code ForwardingServlet} makes it asynchronous, and the thread of the container is free. {@code ServletBody} reads the body
 *     without blocking, on threads of the container or of the client. The adapter of Spring Framework writes the response; it is given a
 *     {@code ForwardedRequest} without a body, and a {@code RelayedResponse} in which the leader's headers replace those of the container.
 * </ul>
 *
 * <p>A response that breaks off ends by a dispatch that throws, so that the container ends the connection, and no client takes a part for the
 * whole. {@code TokenArgument} gives a handler the token of its request.
 *
 * <p>Begin with {@code LeaderFilter}.
 */
@NullMarked
package dev.election.routing.internal.servlet;

import org.jspecify.annotations.NullMarked;
