/**
 * The election protocol as a pure function: from a state, an input and the time it computes the next state and the effects. No I/O, no thread, no
 * clock and no randomness, so a run can be repeated from its inputs.
 *
 * <p>Begin with {@link dev.election.internal.protocol.Protocol}, then {@link dev.election.internal.protocol.State} and
 * {@link dev.election.internal.protocol.Input}. {@code Protocol} passes an input to the rules of the present state: {@code FollowerRules},
 * {@code LeaderRules}, {@code DepartureRules}, {@code CoolingDownRules} or {@code ObserverRules}. They return the next state and collect each
 * {@link dev.election.internal.protocol.Effect} in a {@code StepContext}. A node keeps its {@code Knowledge} when its state changes.
 *
 * <p>Replies may be late, and events lost or repeated. An {@code Attempt} has the time at which a request was sent, from which a lease counts, and
 * {@code News} says which replies may be outdated. {@code EventBounds} finds events with impossible values.
 *
 * <p>{@code ElectionRunner} of the engine feeds the inputs on the loop and carries out the effects. The values here are immutable.
 */
@NullMarked
package dev.election.internal.protocol;

import org.jspecify.annotations.NullMarked;
