/**
 * Routes the requests of a servlet container.
 *
 * <p>In comes a request on a thread of the container. {@code LeaderFilter}, behind the filter of Spring Security, asks the routing where it is
 * served. One that belongs to the leader goes on asynchronously, so that no thread of the container waits: {@code ServletBody} reads the body without
 * blocking, and the response is written by the forwarder. {@code BodyFilter} stands before all other filters and notes what they read of a body, since a
 * body of which something was read can't be forwarded. {@code LeaderRequests} counts the work of requests that the leader serves.
 *
 * <p>Begin with {@code LeaderFilter}.
 */
@NullMarked
package dev.election.routing.internal.servlet;

import org.jspecify.annotations.NullMarked;
