/** Requests that only the leader may serve. */
@NullMarked
package dev.election.routing;

import org.jspecify.annotations.NullMarked;
