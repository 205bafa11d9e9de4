/** The wiring of fenced writes in a Spring Boot application. */
@NullMarked
package dev.election.fencing.autoconfigure;

import org.jspecify.annotations.NullMarked;
