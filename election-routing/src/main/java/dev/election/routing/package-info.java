/**
 * Requests that only the leader may serve: the annotation, the modes, and a client.
 *
 * <p>An application marks handlers with {@link dev.election.routing.OnLeader} or names paths by properties. A node that does not lead forwards such a
 * request, redirects or refuses it, as the {@link dev.election.routing.RoutingMode} says. {@link dev.election.routing.LeaderClient} sends requests of
 * the application itself to the leader.
 */
@NullMarked
package dev.election.routing;

import org.jspecify.annotations.NullMarked;
