/**
 * The wiring of the Quartz guards in a Spring Boot application: guards each scheduler when its bean has been created, reads the
 * properties {@code election.quartz.*}, and adds meters and checks. Begin with {@link ElectionQuartzAutoConfiguration}.
 */
@NullMarked
package dev.election.quartz.autoconfigure;

import org.jspecify.annotations.NullMarked;
