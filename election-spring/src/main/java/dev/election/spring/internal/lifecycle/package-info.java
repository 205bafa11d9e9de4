/** Starts and stops the elections with the application, publishes their events, and starts and stops leader-only beans. */
@NullMarked
package dev.election.spring.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
