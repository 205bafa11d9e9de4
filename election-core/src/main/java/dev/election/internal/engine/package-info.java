/**
 * The engine: all elections of a process over one store, and the parts that join it.
 *
 * <p>Begin with {@link dev.election.internal.engine.Engine}. It creates elections by name, draws the identity of the process at each start, starts and stops
 * all elections together in one batch, and passes listeners and recoveries on. Callers come on any thread; decisions are made on one
 * {@link dev.election.engine.Loop}.
 *
 * <p>An {@link dev.election.internal.engine.EnginePart} is what the engine has beside its elections, and it knows none by name. A part learns of the start
 * with its identity, of each election, and of each change of role; it adds its requests to the batches of the elections, and leaves when all of them have
 * stopped. The membership of the process and steering are parts; a new feature of the engine is one, too.
 *
 * <p>Below are the election ({@code internal.election}) and what it needs: requests, threads, recovery, abdication, log. Above are the parts, and
 * {@code internal.assembly}, which puts an engine together.
 */
@NullMarked
package dev.election.internal.engine;

import org.jspecify.annotations.NullMarked;
