/**
 * Three replicas of the sample, and a page on which one breaks them. Only for this machine.
 *
 * <p>{@link Playground} is the main class. {@link Machine} has the replicas ({@link Member}), each with a link to one {@link Redis}, and
 * the actions upon them. {@link PlaygroundServer} serves the page on threads of an HTTP server, after {@link Gate} has admitted a request.
 * {@link Observer} asks the replicas what they know, {@link Journal} collects their log lines, and {@link State} is all that the page
 * shows.
 */
@NullMarked
package dev.election.playground;

import org.jspecify.annotations.NullMarked;
