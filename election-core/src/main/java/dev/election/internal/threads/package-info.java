/**
 * Threads of an engine: the one that decides the elections, and those that run the application's code.
 *
 * <p>Begin with {@link dev.election.internal.threads.ElectionThread}, the {@link dev.election.engine.Loop} of a real process: tasks run one after the
 * other, on its own thread or on that of a caller, and never block.
 *
 * <p>The loop never calls the application. {@link dev.election.internal.threads.CallbackThreads} run its listeners unless it brings an executor. Each
 * listener has a {@link dev.election.internal.threads.ListenerQueue}, which calls it for one event after the other: a slow listener delays only itself.
 * A {@link dev.election.internal.threads.ListenerDispatcher} has the queues of one election. A stop waits for them, with a limit.
 *
 * <p>An error that a listener must not survive ends the process: {@code ProcessExit}.
 */
@NullMarked
package dev.election.internal.threads;

import org.jspecify.annotations.NullMarked;
