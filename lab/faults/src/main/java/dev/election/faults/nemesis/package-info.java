/** What is broken, in which order, and how. */
@NullMarked
package dev.election.faults.nemesis;

import org.jspecify.annotations.NullMarked;
