/**
 * Small tools for the modules of this library and for stores: texts for people, limits of log lines, random ids and daemon threads.
 *
 * <p>{@link ReadableDuration} and {@link OneLine} write durations and foreign texts for logs and answers. {@link LogLimit} decides
 * whether a line that could repeat is logged, {@link SharedProblem} whether one that others could have, too. {@link RandomId} draws ids that no copy of a process image repeats. {@link DaemonThreads}
 * has the threads on which tasks run. Nothing here knows elections or stores.
 */
@NullMarked
package dev.election.support;

import org.jspecify.annotations.NullMarked;
