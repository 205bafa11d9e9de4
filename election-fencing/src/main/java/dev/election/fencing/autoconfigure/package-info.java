/**
 * Wiring of fenced writes in a Spring Boot application.
 *
 * <p>{@link ElectionFencingAutoConfiguration} wires fenced transactions, the gate and fenced Redis keys, {@link FencingHttpConfigurations} the
 * tokens between services. {@link FencedDatabase} chooses the database, {@link ElectionFencingProperties} has the settings.
 */
@NullMarked
package dev.election.fencing.autoconfigure;

import org.jspecify.annotations.NullMarked;
