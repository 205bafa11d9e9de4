/** Routes the requests of Spring WebFlux. */
@NullMarked
package dev.election.routing.internal.reactive;

import org.jspecify.annotations.NullMarked;
