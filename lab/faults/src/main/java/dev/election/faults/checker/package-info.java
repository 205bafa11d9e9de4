/** Decides from a history alone whether the promises held. Pure. */
@NullMarked
package dev.election.faults.checker;

import org.jspecify.annotations.NullMarked;
