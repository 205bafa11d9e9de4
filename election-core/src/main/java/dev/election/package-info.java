/**
 * The API of leader election: who leads an election, since when, and the work that only the leader may do.
 *
 * <p>An application asks {@link Elections} for an {@link Election} by name. In a Spring Boot application these are beans, and
 * {@link LeaderOnly} guards a method. Without Spring, {@link ElectionEngine} builds the elections over a store, with a {@link Timing}. Begin
 * to read with {@link Election}, {@link LeaderWork} and {@link FencingToken}.
 *
 * <ul>
 *   <li>Queries, such as {@link Election#isLeader}, are answered from memory on the calling thread.
 *   <li>Work that {@link Election#beginWork} admits counts as running until it is closed: a stop or an abdication waits for it. On its thread it
 *       is the {@link CurrentWork}.
 *   <li>Changes arrive at a {@link LeadershipListener} as a {@link LeadershipEvent}. A {@link LeaderRecovery} runs before all other work of a new
 *       leader.
 *   <li>An {@link Abdication} and {@link Steering} decide which node leads next. {@link LeaderState} keeps a text for it.
 * </ul>
 *
 * <p>One thread decides all elections of a process. Listeners, recoveries and the continuations of most stages run on other threads, so that
 * none of them delays a renewal.
 *
 * <p>A leader that was paused beyond its lease may still believe in its work: only the {@link FencingToken} protects data from it.
 */
@NullMarked
package dev.election;

import org.jspecify.annotations.NullMarked;
