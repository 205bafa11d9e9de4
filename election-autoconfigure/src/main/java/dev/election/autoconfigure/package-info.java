/**
 * Auto-configuration for Spring Boot applications. No other package of the library depends on it.
 *
 * <p>Begin with {@link ElectionAutoConfiguration}, which creates the elections over the lease store bean, {@link
 * ElectionParticipationAutoConfiguration}, which starts and stops them with the context, and {@link ElectionAopAutoConfiguration}, which
 * guards the methods of beans. {@link ElectionProperties} has the settings. The other classes add one feature each, and apply only if an
 * application has the class or the property for it.
 *
 * <p>Many parameters of bean methods have the name of the bean that they take: Spring then finds it without asking all others for their
 * types at each start. For the same reason an application replaces a bean of an internal type by name.
 */
@NullMarked
package dev.election.autoconfigure;

import org.jspecify.annotations.NullMarked;
