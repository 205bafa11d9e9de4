/**
 * The election protocol as a pure function: {@code Protocol} makes of a state, an input and the time the next state and its effects. No I/O, no
 * thread, no clock and no chance.
 */
@NullMarked
package dev.election.internal.protocol;

import org.jspecify.annotations.NullMarked;
