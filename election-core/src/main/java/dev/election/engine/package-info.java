/**
 * Clock and loop of an engine, for this project's own modules and tests that move time by hand. Applications use neither.
 *
 * <p>A {@link dev.election.engine.Loop} runs the tasks of all elections of a process, one after the other: replies and events of the store, alarms, and
 * calls of the application. A {@link dev.election.engine.Clock} has the monotonic time by which leases are counted, and the time of day, which is only
 * shown.
 *
 * <p>{@link dev.election.ElectionEngine.Builder#loop} takes both. Without it the engine has a thread of its own and the clocks of the machine.
 */
@NullMarked
package dev.election.engine;

import org.jspecify.annotations.NullMarked;
