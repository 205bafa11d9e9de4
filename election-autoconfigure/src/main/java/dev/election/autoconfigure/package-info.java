/** Wires everything into a Spring Boot application. The only room that knows every other. */
@NullMarked
package dev.election.autoconfigure;

import org.jspecify.annotations.NullMarked;
