/** All that an application sees of an election: who leads, since when, and the work that only the leader may do. */
@NullMarked
package dev.election;

import org.jspecify.annotations.NullMarked;
