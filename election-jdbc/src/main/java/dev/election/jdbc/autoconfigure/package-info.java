/** The wiring of the store over JDBC in a Spring Boot application. */
@NullMarked
package dev.election.jdbc.autoconfigure;

import org.jspecify.annotations.NullMarked;
