/**
 * Auto-configuration for Spring Boot applications. No other package of the library depends on it.
 *
 * <p>Parameters of bean methods have the names of the beans that they stand for: Spring then finds one without asking all others for their
 * types. For the same reason beans of internal types are replaced by name.
 */
@NullMarked
package dev.election.autoconfigure;

import org.jspecify.annotations.NullMarked;
