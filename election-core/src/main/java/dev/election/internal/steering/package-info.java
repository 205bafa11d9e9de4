/**
 * Steering: a part of the engine that gives each election its place in the order of succession, and obeys orders to drain this node.
 *
 * <p>Begin with {@link dev.election.internal.steering.SteeredElections}. When the copy of the members has changed, it computes the
 * {@link dev.election.internal.succession.Succession} of each election and tells the election its place. It makes this node an observer while it is
 * drained, and holds the elections back until the store has said whether it is.
 *
 * <p>{@code HandOvers} gives leadership to a better candidate. A {@code HandOver} says whether and when, as a pure function; the history of the election is
 * read only then. {@code OwnHealth} turns the results of health checks into the health that this node tells the others.
 *
 * <p>All of it runs on the loop. Leadership moves only by an orderly hand-over of the protocol, so steering can't make two leaders.
 */
@NullMarked
package dev.election.internal.steering;

import org.jspecify.annotations.NullMarked;
