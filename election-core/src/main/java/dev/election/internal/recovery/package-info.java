/**
 * Recoveries: code of the application that runs before all other work of a new leader.
 *
 * <p>{@link dev.election.internal.recovery.Recoveries} lists those of all elections, on any thread. Each election has a
 * {@link dev.election.internal.recovery.Recovery}, which is told of each leadership after a step: it holds back the event {@code Acquired} and all other work until
 * the recoveries have run, and gives leadership up if one fails.
 *
 * <p>A {@code RecoveryRun} runs the recoveries of one leadership one after the other, on the threads for callbacks, each under a time limit, and brings their
 * end back to the loop. A recovery that does not end when it is interrupted keeps this node from campaigning.
 *
 * <p>{@link dev.election.internal.recovery.TakeOver} has the settings.
 */
@NullMarked
package dev.election.internal.recovery;

import org.jspecify.annotations.NullMarked;
