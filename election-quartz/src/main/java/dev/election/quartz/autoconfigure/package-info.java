/** The wiring of the Quartz guards in a Spring Boot application. */
@NullMarked
package dev.election.quartz.autoconfigure;

import org.jspecify.annotations.NullMarked;
