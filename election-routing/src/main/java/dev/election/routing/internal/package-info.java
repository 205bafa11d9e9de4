/** Decides where a request is served, and forwards it. Knows neither servlets nor WebFlux. */
@NullMarked
package dev.election.routing.internal;

import org.jspecify.annotations.NullMarked;
