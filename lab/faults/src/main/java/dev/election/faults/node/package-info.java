/** A node in a process of its own: the real engine over the real store, and the recorders of what it believes and writes. */
@NullMarked
package dev.election.faults.node;

import org.jspecify.annotations.NullMarked;
