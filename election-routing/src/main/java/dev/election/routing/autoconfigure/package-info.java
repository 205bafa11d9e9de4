/** The wiring of routed requests in a Spring Boot application. */
@NullMarked
package dev.election.routing.autoconfigure;

import org.jspecify.annotations.NullMarked;
