/**
 * The wiring of the store over JDBC in a Spring Boot application.
 *
 * <p>{@link ElectionJdbcAutoConfiguration} creates the store in the database that {@link DatabaseOfApplication} finds. {@link
 * ElectionJdbcChecksAutoConfiguration} adds the checks after the start.
 */
@NullMarked
package dev.election.jdbc.autoconfigure;

import org.jspecify.annotations.NullMarked;
