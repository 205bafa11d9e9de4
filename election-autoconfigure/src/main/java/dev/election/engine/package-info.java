/**
 * The protocol. {@code Protocol} is a pure function from a state and an input to the next state and its effects;
 * {@code Contest} and {@code ElectionEngine} are the shell around it: one loop, the clocks and the store.
 */
@NullMarked
package dev.election.engine;

import org.jspecify.annotations.NullMarked;
