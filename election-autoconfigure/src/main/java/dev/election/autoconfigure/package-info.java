/** Auto-configuration for Spring Boot applications. No other package of the library depends on it. */
@NullMarked
package dev.election.autoconfigure;

import org.jspecify.annotations.NullMarked;
