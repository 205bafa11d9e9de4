/**
 * Order of succession and hand-overs, as pure functions of the members, the preferences and the history. No I/O, no thread, no clock.
 *
 * <p>Begin with {@link dev.election.internal.steering.Succession}: the order in which the members should lead an election. A {@code HandOver} says
 * whether and when a leader gives leadership to a better candidate. {@code SteeredElections} and {@code HandOvers} of the engine call both on the loop
 * when the copy of the members has changed.
 */
@NullMarked
package dev.election.internal.steering;

import org.jspecify.annotations.NullMarked;
