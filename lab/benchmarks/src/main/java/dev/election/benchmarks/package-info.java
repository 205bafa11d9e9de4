/** Measurements of the real engine over a real Redis: what it costs, and how long a change of leader takes. */
@NullMarked
package dev.election.benchmarks;

import org.jspecify.annotations.NullMarked;
