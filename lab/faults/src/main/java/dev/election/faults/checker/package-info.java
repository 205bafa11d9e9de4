/**
 * Judges a history: decides from its entries alone whether the promises held. Pure functions, without I/O, clock or thread.
 *
 * <p>Begin with {@link Checker}, which turns a history into a {@link Verdict} with each {@link Violation}. From the entries it extracts
 * each {@link Belief}, a time in which a process believed to lead; each {@link Overlap} of two of them; each {@link Gap} without any; and
 * each {@link Episode} of faults.
 *
 * <p>{@link Windows} says when a gap is allowed: after a fault for as long as its {@link Bound} says, which is the sum of all waits of the
 * design. {@link Stalls} are subtracted, since a machine that stands still is no fault of the library. {@link Tokens}, {@link Rosters} and
 * {@link Growth} check fencing tokens, members and leaks.
 */
@NullMarked
package dev.election.faults.checker;

import org.jspecify.annotations.NullMarked;
