/**
 * Auto-configuration for Spring Boot applications. No other package of the library depends on it.
 *
 * <p>Many parameters of bean methods have the name of the bean that they take: Spring then finds it without asking all others for their
 * types at each start. For the same reason an application replaces a bean of an internal type by name.
 */
@NullMarked
package dev.election.autoconfigure;

import org.jspecify.annotations.NullMarked;
