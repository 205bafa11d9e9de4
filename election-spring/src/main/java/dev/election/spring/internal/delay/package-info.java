/**
 * Tasks after a delay: {@link DelayedTaskThread} runs them on one daemon thread that exists only while a task is planned. {@link DelayedTasks}
 * is the interface by which tests control time.
 */
@NullMarked
package dev.election.spring.internal.delay;

import org.jspecify.annotations.NullMarked;
