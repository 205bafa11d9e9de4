/** Records the slots of guarded {@code @Scheduled} methods, so that the next leader runs what was missed and nothing twice. */
@NullMarked
package dev.election.spring.internal.scheduling;

import org.jspecify.annotations.NullMarked;
