/** The public API: who leads an election, since when, and the work that only the leader may do. */
@NullMarked
package dev.election;

import org.jspecify.annotations.NullMarked;
