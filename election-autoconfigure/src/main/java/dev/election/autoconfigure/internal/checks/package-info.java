/**
 * Checks of the application and its environment after the start; each problem is logged once, with the action.
 *
 * <p>{@link Doctor} runs the beans of type {@code Check} when the application is ready, on a thread of its own that ends when it is idle. A
 * check returns a {@code Finding} for each problem, which is logged and shown by the endpoint. A check that can't be completed is repeated.
 * Modules of stores add checks of their server.
 *
 * <p>Two checks are here: {@link GuardedMethodsCheck} finds guarded methods that are called too early or past their proxy, {@link
 * PropertiesCheck} finds properties without effect, by the {@link DescribedProperties} of the configuration metadata.
 */
@NullMarked
package dev.election.autoconfigure.internal.checks;

import org.jspecify.annotations.NullMarked;
