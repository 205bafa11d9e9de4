/** Proof under faults: breaks an election on purpose, and measures. */
@NullMarked
package dev.election.faults;

import org.jspecify.annotations.NullMarked;
