/**
 * Routes the requests of Spring WebFlux: a filter behind that of Spring Security, which asks the routing where a request is served, and ends the leader
 * work of a request with its response. Runs on the threads of the server. Begin with {@code LeaderWebFilter}.
 */
@NullMarked
package dev.election.routing.internal.reactive;

import org.jspecify.annotations.NullMarked;
