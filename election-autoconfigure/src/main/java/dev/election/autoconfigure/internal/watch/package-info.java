/** The status of the elections as this node has observed it, for the endpoint, health and metrics. */
@NullMarked
package dev.election.autoconfigure.internal.watch;

import org.jspecify.annotations.NullMarked;
