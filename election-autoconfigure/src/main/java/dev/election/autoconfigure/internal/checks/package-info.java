/** Checks the application and its environment after the start, and logs each problem once, with the action. */
@NullMarked
package dev.election.autoconfigure.internal.checks;

import org.jspecify.annotations.NullMarked;
